import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { io, type Socket } from "socket.io-client";
import type { LogEntry } from "../../contract/teams.ts";
import { type Ack, makeTeam, readLog, run, upTo, until, useTeamApp } from "../teams/team-app.ts";

/** A client that remembers its last seq and asks for the rest whenever it rejoins. */
interface Viewer {
  socket: Socket | undefined;
  isIn: boolean;
  /** Every entry in the order of arrival, from acknowledgements and events. */
  received: number[];
}

const acts = ["post", "post", "post five", "join", "leave", "drop"] as const;
const plans = fc.array(fc.record({ act: fc.constantFrom(...acts), who: fc.nat(2) }), {
  minLength: 10,
  maxLength: 40,
});

test("[R18] a client that joins, leaves, disconnects and returns in any order receives exactly the log, in order", async () => {
  const { ada, address } = await useTeamApp();
  // Without internal agents the log contains only the messages below, and the session stays open.
  const team = await makeTeam(ada, { externalAgents: [{ name: "scout", capabilities: [] }] });

  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const sessionId = await run(ada, team.id);
      const viewers: Viewer[] = upTo(3).map(() => ({ socket: undefined, isIn: false, received: [] }));
      const pending: Promise<unknown>[] = [];
      let posted = 0;
      const post = (): Promise<unknown> =>
        ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: `message ${++posted}` });
      for (const { act, who } of plan) {
        const viewer = viewers[who]!;
        // Not awaited: messages arrive while clients join and leave.
        if (act === "post") pending.push(post());
        else if (act === "post five") pending.push(...upTo(5).map(post));
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
          () => viewer.received.length,
          (count) => count >= log.length,
        );
        expect(viewer.received).toEqual(upTo(log.length));
        drop(viewer);
      }
    }),
    { numRuns: 15 },
  );

  async function join(viewer: Viewer, sessionId: string): Promise<void> {
    if (viewer.isIn) return;
    viewer.socket ??= await connect(viewer, sessionId);
    const request = { sessionId, after: viewer.received.at(-1) ?? 0 };
    await new Promise<void>((resolve, reject) => {
      // Recorded in the callback: events may follow immediately.
      viewer.socket!.emit("join_war_room", request, (ack: Ack) => {
        if (!ack.ok) return reject(new Error(JSON.stringify(ack)));
        for (const message of ack["messages"] as LogEntry[]) viewer.received.push(message.seq);
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
      // The room belongs to the team: it also receives other sessions' entries.
      if (event.sessionId === sessionId && viewer.socket === socket) viewer.received.push(event.message.seq);
    });
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("connect_error", reject);
    });
    return socket;
  }
});
