import { EventEmitter } from "node:events";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JoinedRoom } from "../../contract/realtime.ts";
import type { LogEntry } from "../../contract/teams.ts";
import type { RoomSignal } from "../teams/room-signals.ts";
import type { MessageRecord, SessionRecord } from "../teams/session-record.ts";
import type { Sessions } from "../teams/sessions.ts";
import { EVERYONE } from "../teams/session/topology.ts";
import { createSequence } from "./acknowledge.ts";
import { createClientRooms } from "./client-rooms.ts";
import type { IoSocket } from "./io.ts";
import { createJoin, type JoinDeps, SHOWN_SESSIONS } from "./join.ts";
import { createSessionPoll } from "./session-poll.ts";
import { createWarRooms, type Viewer } from "./war-room.ts";

const TEAM = "team";
type Schedule = Pick<fc.Scheduler, "schedule">;

/** Sessions of one team in memory; the scheduler decides when each read returns what it has read. */
function openService(scheduler: Schedule) {
  const rows = new Map<string, SessionRecord>();
  const log: MessageRecord[] = [];
  const sockets = new Map<Viewer, IoSocket>();
  const read = <T>(value: T): Promise<T> => scheduler.schedule(Promise.resolve(value));
  const copies = (sessions: readonly SessionRecord[]) => read(sessions.map((session) => ({ ...session })));
  const rooms = createWarRooms({
    // Short pages, as of large entries.
    log: (sessionId, after, limit) =>
      read(
        log
          .filter((entry) => entry.sessionId === sessionId && entry.seq > after)
          .slice(0, Math.min(2, limit)),
      ),
    presence: { enter: () => undefined, leave: () => undefined },
    broadcast(teamId, message, except) {
      for (const viewer of rooms.viewersOf(teamId)) if (!except.includes(viewer)) viewer.send(message);
    },
    onError(error) {
      throw error;
    },
  });
  const signal = (sent: Extract<RoomSignal, { kind: "grown" }>): void => rooms.onGrown(sent);

  function append(session: SessionRecord): void {
    const { id: sessionId } = session;
    const seq = ++session.lastSeq;
    const party = { from: EVERYONE, to: EVERYONE };
    const rest = { type: "user_prompt", content: {}, seen: null, outside: true, at: 0 } as const;
    log.push({ id: `msg_${seq}`, sessionId, teamId: TEAM, seq, ...party, ...rest });
  }
  const hint = ({ id: sessionId }: SessionRecord, firstSeq: number): void =>
    void read({ kind: "grown" as const, teamId: TEAM, sessionId, firstSeq }).then(signal);

  const sessions = {
    get: async (_owner: string, id: string) => (await copies([rows.get(id)!]))[0]!,
    listOfTeam: async (_team: string, { limit }: { limit: number }) => ({
      items: await copies([...rows.values()].toReversed().slice(0, limit)),
      nextCursor: null,
    }),
    findAllInTeam: (ids: readonly string[]) => copies(ids.flatMap((id) => rows.get(id) ?? [])),
    unfinishedIds: () =>
      read([...rows.values()].flatMap(({ id, status }) => (status === "completed" ? [] : [id]))),
    view: (session: SessionRecord) => session,
    // eslint-disable-next-line typescript/require-await
    async onJoined() {
      for (const session of rows.values()) activate(session);
    },
  };

  function activate(session: SessionRecord): void {
    if (session.status !== "waiting") return;
    session.status = "active";
    hint(session, 1);
  }

  const teams = { get: () => read({ team: { id: TEAM } }) } as unknown as JoinDeps["teams"];
  const sessionPoll = createSessionPoll({ sessions: sessions as never, onLogEnd: rooms.onLogEnd });
  const server = {
    rooms,
    join: createJoin({ rooms, sessions: sessions as unknown as Sessions, teams }),
    sessionPoll,
    sessions: sessions as unknown as Sessions,
    presence: { count: () => 1 },
    sockets,
    presenceChanged: () => undefined,
    startPolling: () => undefined,
  };
  return {
    server,
    rows,
    activate,
    poll: () => sessionPoll.poll(TEAM),
    start(status: "waiting" | "active"): void {
      const session = { id: `sess_${rows.size}`, teamId: TEAM, status, lastSeq: 0 } as SessionRecord;
      rows.set(session.id, session);
      append(session);
      if (status === "active") hint(session, 1);
    },
    post(session: SessionRecord, isHinted: boolean): void {
      append(session);
      if (session.status === "completed") session.status = "active";
      if (session.status === "active" && isHinted) hint(session, session.lastSeq);
    },
  };
}
type Service = ReturnType<typeof openService>;

/** A client that remembers what it has, over all of its connections. */
function createClient({ server, rows }: Service) {
  const has: Record<string, number[]> = {};
  /** Sessions that the join left out: only their later entries are sent. */
  const old = new Set<string>();
  /** Reading a log for a client that has left is wasted. */
  const sentTooLate: number[] = [];
  let isIn = false;
  let connection = connect();

  function take({ sessionId, seq }: LogEntry): void {
    (has[sessionId] ??= []).push(seq);
  }

  function connect() {
    const socket = {
      disconnected: false,
      data: { workspaceId: "ada" },
      conn: Object.assign(new EventEmitter(), { writeBuffer: [] as { data: string }[] }),
      emit(_event: string, { message }: { message: LogEntry }) {
        if (this.disconnected) sentTooLate.push(message.seq);
        else take(message);
      },
      join: () => undefined,
      leave: () => undefined,
    };
    return {
      socket,
      inSequence: createSequence(),
      rooms: createClientRooms(socket as unknown as IoSocket, server),
    };
  }

  return {
    has,
    old,
    sentTooLate,
    isIn: () => isIn,
    join(sessionId?: string): Promise<void> {
      const isAgain = isIn;
      isIn = true;
      const { socket, rooms, inSequence } = connection;
      const after = Object.fromEntries(Object.entries(has).map(([id, seqs]) => [id, seqs.at(-1)!]));
      const place = sessionId === undefined ? { teamId: TEAM } : { sessionId };
      const receive = (answer: unknown): void => {
        if (socket.disconnected) return;
        const { sessions, messages } = answer as JoinedRoom;
        const others =
          sessionId === undefined
            ? sessions.slice(1).filter(({ id, status }) => status === "completed" && !(id in after))
            : [...rows.values()].filter(({ id }) => id !== sessionId);
        for (const { id } of isAgain ? [] : others) {
          old.add(id);
          delete has[id];
        }
        // Live entries that arrived after the request are among the missed ones.
        const first = new Map(messages.toReversed().map((message) => [message.sessionId, message.seq]));
        for (const [id, start] of first) has[id] = (has[id] ?? []).filter((seq) => seq < start);
        for (const message of messages) take(message);
      };
      return inSequence(() => rooms.enter({ ...place, after }, receive));
    },
    stopReading(): void {
      connection.socket.conn.writeBuffer = [{ data: "x".repeat(2_000_000) }];
    },
    read(): void {
      connection.socket.conn.writeBuffer = [];
      connection.socket.conn.emit("drain");
    },
    disconnect(): void {
      connection.socket.disconnected = true;
      connection.socket.conn.emit("close");
      connection.rooms.leave();
      connection = connect();
      isIn = false;
    },
  };
}

const KINDS =
  "start wait activate post post post-unhinted end join join-session disconnect poll turn turn settle stop-reading read".split(
    " ",
  );
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    session: fc.nat(3),
    client: fc.nat(1),
  }),
  { maxLength: 40, size: "max" },
);

test("clients that join, disconnect and rejoin in any order of reads, hints and entries have each entry once, in order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), steps, async (scheduler, actions) => {
      const service = openService(scheduler);
      const clients = [createClient(service), createClient(service)];
      const pending: Promise<unknown>[] = [];
      for (const { kind, session: index, client: which } of actions) {
        const session = [...service.rows.values()].at(-1 - index);
        const client = clients[which]!;
        if (kind === "start") service.start("active");
        else if (kind === "wait") service.start("waiting");
        else if (kind === "join") pending.push(client.join());
        else if (kind === "disconnect") client.disconnect();
        else if (kind === "stop-reading") client.stopReading();
        else if (kind === "read") client.read();
        else if (kind === "poll") pending.push(service.poll());
        else if (kind === "turn") await scheduler.waitNext(Math.min(2 + index, scheduler.count()));
        else if (kind === "settle") await scheduler.waitIdle();
        else if (session === undefined) continue;
        else if (kind === "activate") service.activate(session);
        else if (kind === "join-session") pending.push(client.join(session.id));
        else if (kind === "end") session.status = session.status === "active" ? "completed" : session.status;
        else service.post(session, kind === "post");
      }
      for (const client of clients) client.read();
      await scheduler.waitIdle();
      await Promise.all(pending);
      // Only a lost hint needs the poll, which comes after ten seconds.
      const isLossy = actions.some(({ kind }) => kind === "post-unhinted");
      for (let n = 0; isLossy && n < 2; n++) {
        const polled = service.poll();
        await scheduler.waitIdle();
        await polled;
      }
      for (const client of clients) {
        expect(client.sentTooLate).toEqual([]);
        for (const seqs of Object.values(client.has))
          expect(seqs).toEqual(seqs.map((_seq, place) => seqs[0]! + place));
        if (!client.isIn()) continue;
        for (const { id, status, lastSeq } of service.rows.values())
          if (status === "active" && !client.old.has(id))
            expect([id, client.has[id]?.at(0), client.has[id]?.at(-1)]).toEqual([id, 1, lastSeq]);
      }
    }),
    { numRuns: 500 },
  );
});

test("of a session that the join leaves out, only an entry that is written meanwhile is sent", async () => {
  const pending: (() => void)[] = [];
  const turn = () => new Promise(setImmediate);
  const readsReturn = async (): Promise<void> => {
    for (const release of pending.splice(0)) release();
    await turn();
  };
  const service = openService({
    schedule: (value) => new Promise((resolve) => void pending.push(() => resolve(value))),
  });
  for (let n = 0; n <= SHOWN_SESSIONS; n++) service.start("active");
  const [oldest] = service.rows.values();
  for (const session of service.rows.values()) session.status = "completed";
  await readsReturn();
  const client = createClient(service);
  const joined = client.join();
  await turn();
  // The client is in the room, and the rows are read.
  await readsReturn();
  service.post(oldest!, true);
  while (pending.length > 0) await readsReturn();
  await joined;
  expect(client.has[oldest!.id]).toEqual([2]);
});
