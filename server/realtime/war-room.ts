import type { LogEntry } from "../../contract/teams.ts";
import type { Presence, RoomSignal } from "../teams/room-signals.ts";
import { type MessageRecord, toLogEntry } from "../teams/session-store.ts";

/** One client in one team's room. */
export interface Viewer {
  teamId: string;
  /** Up to which seq it has been told of each session, live or by a replay. */
  toldUpTo: Map<string, number>;
  /** While it is being told what it missed, live messages are not sent to it but noted here, by their first seq. */
  missed: Map<string, number> | undefined;
  send(message: LogEntry): void;
}

export interface WarRoomDeps {
  log(sessionId: string, after: number, limit: number): Promise<MessageRecord[]>;
  presence: Presence;
  /** One message to all viewers but some, encoded once. */
  broadcast(teamId: string, message: LogEntry, except: readonly Viewer[]): void;
  onError(error: unknown, what: string): void;
}

const PAGE = 200;
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
      if (viewer.missed !== undefined) {
        if (!viewer.missed.has(sessionId)) viewer.missed.set(sessionId, seq);
        except.push(viewer);
      } else if ((viewer.toldUpTo.get(sessionId) ?? 0) >= seq) except.push(viewer);
      else remember(viewer.toldUpTo, sessionId, seq);
    }
    broadcast(teamId, toLogEntry(message), except);
  }

  return {
    viewersOf,
    grown,

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
        remember(viewer.toldUpTo, sessionId, page.at(-1)?.seq ?? after);
        // There may be more than the answer takes: the rest follows one by one.
        if (messages.length >= limit) viewer.missed?.set(sessionId, (page.at(-1)?.seq ?? after) + 1);
      }
      return messages;
    },

    async catchUp(viewer: Viewer): Promise<void> {
      for (;;) {
        const [first] = viewer.missed ?? [];
        if (first === undefined) break;
        const [sessionId, firstMissed] = first;
        viewer.missed?.delete(sessionId);
        for (;;) {
          const after = viewer.toldUpTo.get(sessionId) ?? firstMissed - 1;
          const page = await log(sessionId, after, PAGE);
          for (const message of page) viewer.send(toLogEntry(message));
          remember(viewer.toldUpTo, sessionId, page.at(-1)?.seq ?? after);
          if (page.length < PAGE) break;
        }
      }
      viewer.missed = undefined;
    },
  };
}

function remember(toldUpTo: Map<string, number>, sessionId: string, seq: number): void {
  toldUpTo.delete(sessionId);
  toldUpTo.set(sessionId, seq);
  const [oldest] = toldUpTo.keys();
  if (toldUpTo.size > REMEMBERED_SESSIONS && oldest !== undefined) toldUpTo.delete(oldest);
}

export type WarRooms = ReturnType<typeof createWarRooms>;
