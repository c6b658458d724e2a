import type { LogEntry } from "../../contract/teams.ts";
import type { Presence } from "../teams/presence.ts";
import type { RoomSignal } from "../teams/room-signals.ts";
import { type MessageRecord, toLogEntry } from "../teams/session-record.ts";

/** One client in one team's room. */
export interface Viewer {
  teamId: string;
  /** Up to which seq it has been told of each session, live or by a replay, or was not to be told. */
  toldUpTo: Map<string, number>;
  /** Of any other session it is told all when its id is greater than this, and else what is new: those are old. */
  oldUpTo: string;
  /** While it is being told what it missed, live messages are not sent to it but noted here, by their first seq. */
  missed: Map<string, number> | undefined;
  send(message: LogEntry): void;
  /** It has to come back: what it missed could not be read. */
  drop(): void;
}

export interface WarRoomDeps {
  log(sessionId: string, after: number, limit: number): Promise<MessageRecord[]>;
  presence: Pick<Presence, "enter" | "leave">;
  /** One message to all viewers but some, encoded once. */
  broadcast(teamId: string, message: LogEntry, except: readonly Viewer[]): void;
  onError(error: unknown, what: string): void;
}

const PAGE = 100;
/** A viewer that stays for weeks does not keep a number for every session of those weeks. */
const REMEMBERED_SESSIONS = 1000;

/**
 * Tells every viewer every entry of the log, in order, once. A hint that a log has grown makes the room read on
 * from where it was, so order and completeness come from the log and not from the order of the hints.
 */
export function createWarRooms({ log, presence, broadcast, onError }: WarRoomDeps) {
  const rooms = new Map<string, Set<Viewer>>();
  /** Up to where the viewers of a session's team have been told live, while there are any. */
  const told = new Map<string, { teamId: string; seq: number }>();
  const pumping = new Map<string, Promise<void>>();
  const again = new Set<string>();

  function viewersOf(teamId: string): ReadonlySet<Viewer> {
    return rooms.get(teamId) ?? new Set<Viewer>();
  }

  function grown({ teamId, sessionId, firstSeq }: Extract<RoomSignal, { kind: "grown" }>): void {
    if (viewersOf(teamId).size === 0) return;
    if (!told.has(sessionId)) told.set(sessionId, { teamId, seq: firstSeq - 1 });
    if (pumping.has(sessionId)) {
      again.add(sessionId);
      return;
    }
    const done = pump(sessionId)
      .catch((error: unknown) => onError(error, "telling a war room"))
      .finally(() => {
        pumping.delete(sessionId);
        if (again.delete(sessionId)) grown({ kind: "grown", teamId, sessionId, firstSeq });
      });
    pumping.set(sessionId, done);
  }

  async function pump(sessionId: string): Promise<void> {
    for (;;) {
      const cursor = told.get(sessionId);
      if (cursor === undefined) return;
      const page = await log(sessionId, cursor.seq, PAGE);
      for (const message of page) tell(message, cursor);
      if (page.length < PAGE) return;
    }
  }

  function tell(message: MessageRecord, cursor: { seq: number }): void {
    const { sessionId, teamId, seq } = message;
    cursor.seq = seq;
    const except: Viewer[] = [];
    for (const viewer of viewersOf(teamId)) {
      const before = toldBefore(viewer, sessionId, seq);
      if (viewer.missed !== undefined) {
        if (!viewer.missed.has(sessionId)) viewer.missed.set(sessionId, Math.min(seq, before + 1));
        except.push(viewer);
      } else if (before >= seq) except.push(viewer);
      else if (before < seq - 1) {
        // A hint was lost, and with it entries that this one would leave out.
        tellFrom(viewer, sessionId, before + 1);
        except.push(viewer);
      } else remember(viewer, sessionId, seq);
    }
    broadcast(teamId, toLogEntry(message), except);
  }

  function tellFrom(viewer: Viewer, sessionId: string, firstMissed: number): void {
    viewer.missed = new Map([[sessionId, firstMissed]]);
    catchUp(viewer).catch((error: unknown) => {
      onError(error, "telling a war room what it missed");
      viewer.drop();
    });
  }

  async function catchUp(viewer: Viewer): Promise<void> {
    for (;;) {
      const [first] = viewer.missed ?? [];
      if (first === undefined) break;
      const [sessionId, firstMissed] = first;
      viewer.missed?.delete(sessionId);
      for (;;) {
        const after = viewer.toldUpTo.get(sessionId) ?? firstMissed - 1;
        const page = await log(sessionId, after, PAGE);
        // A long log is not read to its end for somebody who has left meanwhile.
        if (!viewersOf(viewer.teamId).has(viewer)) return;
        for (const message of page) viewer.send(toLogEntry(message));
        remember(viewer, sessionId, page.at(-1)?.seq ?? after);
        if (page.length < PAGE) break;
      }
    }
    viewer.missed = undefined;
  }

  return {
    viewersOf,
    grown,
    /** Teams with somebody in their room. */
    teams: (): string[] => [...rooms.keys()],
    /** Reads on in every session that is being told. */
    readOn(): void {
      for (const [sessionId, { teamId, seq }] of told)
        grown({ kind: "grown", teamId, sessionId, firstSeq: seq + 1 });
    },
    /** By the session's row its log reaches so far: whoever has been told less is told the rest, hint or no hint. */
    reaches(teamId: string, sessionId: string, lastSeq: number): void {
      for (const viewer of viewersOf(teamId)) {
        const before = toldBefore(viewer, sessionId, lastSeq + 1);
        if (before >= lastSeq) continue;
        if (viewer.missed === undefined) tellFrom(viewer, sessionId, before + 1);
        else if (!viewer.missed.has(sessionId)) viewer.missed.set(sessionId, before + 1);
      }
    },

    enter(viewer: Viewer): void {
      const room = rooms.get(viewer.teamId) ?? new Set();
      rooms.set(viewer.teamId, room.add(viewer));
      presence.enter(viewer.teamId);
    },

    leave(viewer: Viewer): void {
      const room = rooms.get(viewer.teamId);
      if (room?.delete(viewer) !== true) return;
      presence.leave(viewer.teamId);
      if (room.size > 0) return;
      rooms.delete(viewer.teamId);
      for (const [sessionId, { teamId }] of told) if (teamId === viewer.teamId) told.delete(sessionId);
    },

    /**
     * Gives what was said in these sessions after the given seqs, up to `limit` entries. Call `catchUp` then: it
     * sends the rest and lets the live messages through.
     */
    async replay(viewer: Viewer, sessions: ReadonlyMap<string, number>, limit: number): Promise<LogEntry[]> {
      const messages: LogEntry[] = [];
      for (const [sessionId, after] of sessions) {
        viewer.toldUpTo.set(sessionId, after);
        const page = await log(sessionId, after, limit - messages.length);
        for (const message of page) messages.push(toLogEntry(message));
        remember(viewer, sessionId, page.at(-1)?.seq ?? after);
        // There may be more than the answer takes: the rest follows one by one.
        if (messages.length >= limit) viewer.missed?.set(sessionId, (page.at(-1)?.seq ?? after) + 1);
      }
      return messages;
    },

    catchUp,
  };
}

function toldBefore({ toldUpTo, oldUpTo }: Viewer, sessionId: string, seq: number): number {
  return toldUpTo.get(sessionId) ?? (sessionId > oldUpTo ? 0 : seq - 1);
}

function remember(viewer: Viewer, sessionId: string, seq: number): void {
  const { toldUpTo } = viewer;
  toldUpTo.delete(sessionId);
  toldUpTo.set(sessionId, seq);
  const [oldest] = toldUpTo.keys();
  if (toldUpTo.size <= REMEMBERED_SESSIONS || oldest === undefined) return;
  toldUpTo.delete(oldest);
  if (oldest > viewer.oldUpTo) viewer.oldUpTo = oldest;
}

export type WarRooms = ReturnType<typeof createWarRooms>;
