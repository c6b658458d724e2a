import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { io, type Socket } from "socket.io-client";
import type { LogEntry } from "../../contract/teams.ts";
import { type Ack, makeTeam, readLog, run, upTo, until, useTeamApp } from "../teams/team-app.ts";

/** One viewer that remembers how far it has come and asks for the rest whenever it returns. */
interface Viewer {
  socket: Socket | undefined;
  isIn: boolean;
  /** Every entry in the order in which it was told, whether as an answer to joining or as an event. */
  told: number[];
}

const acts = ["speak", "speak", "shout", "join", "leave", "drop"] as const;
const plans = fc.array(fc.record({ act: fc.constantFrom(...acts), who: fc.nat(2) }), {
  minLength: 10,
  maxLength: 40,
});

test("[R18] whoever joins, leaves, drops out and returns in any order is told exactly the log, in its order", async () => {
  const { ada, address } = await useTeamApp();
  // Nobody inside who could answer: the log holds what is said here, and the session stays open.
  const team = await makeTeam(ada, { externalAgents: [{ name: "scout", capabilities: [] }] });

  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const sessionId = await run(ada, team.id);
      const viewers: Viewer[] = upTo(3).map(() => ({ socket: undefined, isIn: false, told: [] }));
      const pending: Promise<unknown>[] = [];
      let said = 0;
      const post = (): Promise<unknown> =>
        ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: `word ${++said}` });
      for (const { act, who } of plan) {
        const viewer = viewers[who]!;
        // What is said is not waited for: it comes in while others join and leave.
        if (act === "speak") pending.push(post());
        else if (act === "shout") pending.push(...upTo(5).map(post));
        else if (act === "join") await join(viewer, sessionId);
        else if (act === "leave") await leave(viewer);
        else drop(viewer);
      }
      await Promise.all(pending);
      const log = await readLog(ada, sessionId);
      expect(log.map(({ seq }) => seq)).toEqual(upTo(log.length));
      for (const viewer of viewers) {
        await join(viewer, sessionId);
        await until(
          () => viewer.told.length,
          (count) => count >= log.length,
        );
        expect(viewer.told).toEqual(upTo(log.length));
        drop(viewer);
      }
    }),
    { numRuns: 15 },
  );

  async function join(viewer: Viewer, sessionId: string): Promise<void> {
    if (viewer.isIn) return;
    viewer.socket ??= await connect(viewer, sessionId);
    const request = { sessionId, after: viewer.told.at(-1) ?? 0 };
    await new Promise<void>((resolve, reject) => {
      // Taken down where the answer arrives: events may follow on its heels.
      viewer.socket!.emit("join_war_room", request, (ack: Ack) => {
        if (!ack.ok) return reject(new Error(JSON.stringify(ack)));
        for (const message of ack["messages"] as LogEntry[]) viewer.told.push(message.seq);
        viewer.isIn = true;
        resolve();
      });
    });
  }

  async function leave(viewer: Viewer): Promise<void> {
    if (!viewer.isIn) return;
    await viewer.socket!.emitWithAck("leave_war_room");
    viewer.isIn = false;
  }

  function drop(viewer: Viewer): void {
    viewer.socket?.disconnect();
    viewer.socket = undefined;
    viewer.isIn = false;
  }

  async function connect(viewer: Viewer, sessionId: string): Promise<Socket> {
    const socket = io(address, {
      auth: { token: ada.token },
      transports: ["websocket"],
      forceNew: true,
      reconnection: false,
    });
    onTestFinished(() => void socket.disconnect());
    socket.on("NEW_SWARM_MESSAGE", (event: { sessionId: string; message: LogEntry }) => {
      // The room is the team's: other sessions are heard in it as well.
      if (event.sessionId === sessionId && viewer.socket === socket) viewer.told.push(event.message.seq);
    });
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("connect_error", reject);
    });
    return socket;
  }
});
