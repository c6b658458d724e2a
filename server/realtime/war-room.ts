import type { LogEntry } from "../../contract/teams.ts";
import { createLogFollower, type LogFollower } from "../lib/log-follower.ts";
import type { Presence } from "../teams/presence.ts";
import type { RoomSignal } from "../teams/room-signals.ts";
import type { MessageRecord } from "../teams/session-record.ts";
import { toLogEntry } from "../teams/session-view.ts";

/** One client in one team's room. */
export interface Viewer {
  teamId: string;
  /** The last seq of each session that the client has, received live or by a replay. */
  positions: Map<string, number>;
  /** A session without a position is new to the client if its id is greater than this; else only new entries are sent. */
  oldUpTo: string;
  /** While the client joins, live entries are not sent; the sessions they belong to are noted here, with the position. */
  held: Map<string, number> | undefined;
  /** Sessions whose entries are read for this client alone, until it has caught up with the room. */
  catchingUp: Map<string, LogFollower<MessageRecord>>;
  /** Calls `send` now, or when the client has read most of what was sent before; then the promise resolves. */
  inTurn(send: () => void): void | Promise<void>;
  send(message: LogEntry): void;
  /** Disconnects the client, which has to rejoin: entries that it missed could not be read. */
  drop(): void;
}

export interface WarRoomDeps {
  log(sessionId: string, after: number, limit: number): Promise<MessageRecord[]>;
  presence: Pick<Presence, "enter" | "leave">;
  /** Sends one message to all viewers of a room except some; encodes it once. */
  broadcast(teamId: string, message: LogEntry, except: readonly Viewer[]): void;
  onError(error: unknown, activity: string): void;
}

const PAGE_SIZE = 100;
/** Content of a replay; a page of a log is at most twice as large. */
const MAX_REPLAYED_CHARACTERS = 1_000_000;
/** Bounds the memory of a client that stays connected for weeks. */
const MAX_POSITIONS = 1000;
/** Bounds the memory of rooms that are never empty. Closing an idle follower loses nothing: viewers have positions. */
const MAX_FOLLOWED_SESSIONS = 10_000;

/**
 * Sends every viewer every log entry once, in order. Two kinds of log followers do it: one per session reads each new
 * entry once for the whole room, and one per lagging viewer and session reads what that viewer alone has missed.
 */
export function createWarRooms({ log, presence, broadcast, onError }: WarRoomDeps) {
  const rooms = new Map<string, Set<Viewer>>();
  const followed = new Map<string, { teamId: string; follower: LogFollower<MessageRecord> }>();

  function viewersOf(teamId: string): ReadonlySet<Viewer> {
    return rooms.get(teamId) ?? new Set<Viewer>();
  }

  function onGrown({ teamId, sessionId, firstSeq }: Extract<RoomSignal, { kind: "grown" }>): void {
    if (viewersOf(teamId).size === 0) return;
    const follower = followed.get(sessionId)?.follower ?? followSession(teamId, sessionId, firstSeq - 1);
    follower.hint();
  }

  function followSession(teamId: string, sessionId: string, after: number): LogFollower<MessageRecord> {
    for (const [id, { follower }] of followed) {
      if (followed.size < MAX_FOLLOWED_SESSIONS) break;
      if (!follower.isReading) stopFollowing(id);
    }
    const follower = createLogFollower<MessageRecord>({
      after,
      read: (from, limit) => log(sessionId, from, limit),
      deliver: deliverToRoom,
      onError: (error) => onError(error, "reading a session's log for a war room"),
      pageSize: PAGE_SIZE,
      hasShortPages: true,
    });
    followed.set(sessionId, { teamId, follower });
    return follower;
  }

  function stopFollowing(sessionId: string): void {
    followed.get(sessionId)?.follower.close();
    followed.delete(sessionId);
  }

  function deliverToRoom(message: MessageRecord): void {
    const { sessionId, teamId, seq } = message;
    const except: Viewer[] = [];
    for (const viewer of viewersOf(teamId)) {
      const position = positionOf(viewer, sessionId, seq);
      if (viewer.held === undefined && !viewer.catchingUp.has(sessionId) && position === seq - 1) {
        remember(viewer, sessionId, seq);
        continue;
      }
      except.push(viewer);
      if (position < seq) readFor(viewer, sessionId, position);
    }
    broadcast(teamId, toLogEntry(message), except);
  }

  /** The viewer lacks entries after `position`, because it joins or because a hint was lost. */
  function readFor(viewer: Viewer, sessionId: string, position: number): void {
    if (viewer.held !== undefined) {
      if (!viewer.held.has(sessionId)) viewer.held.set(sessionId, position);
      return;
    }
    const follower = viewer.catchingUp.get(sessionId) ?? followFor(viewer, sessionId, position);
    follower.hint();
  }

  function followFor(viewer: Viewer, sessionId: string, after: number): LogFollower<MessageRecord> {
    const position = viewer.positions.get(sessionId) ?? after;
    remember(viewer, sessionId, position);
    const follower = createLogFollower<MessageRecord>({
      after: position,
      read: (from, limit) => log(sessionId, from, limit),
      deliver: (message) =>
        viewer.inTurn(() => {
          // Closed meanwhile: the client has left, or it joins again, which sends the entry.
          if (viewer.catchingUp.get(sessionId) !== follower) return;
          remember(viewer, sessionId, message.seq);
          viewer.send(toLogEntry(message));
        }),
      onCaughtUp() {
        follower.close();
        viewer.catchingUp.delete(sessionId);
      },
      onError(error) {
        // A client with a gap would not notice it: it has to rejoin with its positions.
        onError(error, "reading the entries that a war room's viewer missed");
        viewer.drop();
      },
      pageSize: PAGE_SIZE,
      hasShortPages: true,
    });
    viewer.catchingUp.set(sessionId, follower);
    return follower;
  }

  return {
    viewersOf,
    onGrown,
    /** Teams with at least one viewer. */
    teams: (): string[] => [...rooms.keys()],
    /** Signals may have been lost: reads on in every followed session. */
    readOn(): void {
      for (const { follower } of followed.values()) follower.hint();
    },
    /** According to the session's row its log ends at `lastSeq`: viewers that lack entries get them. */
    onLogEnd(teamId: string, sessionId: string, lastSeq: number): void {
      for (const viewer of viewersOf(teamId)) {
        const position = positionOf(viewer, sessionId, lastSeq + 1);
        if (position < lastSeq) readFor(viewer, sessionId, position);
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
      for (const follower of viewer.catchingUp.values()) follower.close();
      viewer.catchingUp.clear();
      presence.leave(viewer.teamId);
      if (room.size > 0) return;
      rooms.delete(viewer.teamId);
      for (const [sessionId, { teamId }] of followed) if (teamId === viewer.teamId) stopFollowing(sessionId);
    },

    /** Holds back live entries, so that none arrives before the replay. `catchUp` releases them. */
    hold(viewer: Viewer): void {
      viewer.held ??= new Map();
      for (const [sessionId, follower] of viewer.catchingUp) {
        follower.close();
        viewer.held.set(sessionId, viewer.positions.get(sessionId) ?? 0);
      }
      viewer.catchingUp.clear();
    },

    /** Returns up to `limit` entries of these sessions after the given seqs; `catchUp` sends the rest one by one. */
    async replay(viewer: Viewer, sessions: ReadonlyMap<string, number>, limit: number): Promise<LogEntry[]> {
      const messages: LogEntry[] = [];
      let characters = 0;
      for (const [sessionId, after] of sessions) {
        viewer.positions.set(sessionId, after);
        const isFull = messages.length >= limit || characters >= MAX_REPLAYED_CHARACTERS;
        const page = isFull ? [] : await log(sessionId, after, limit - messages.length);
        for (const message of page) {
          messages.push(toLogEntry(message));
          characters += JSON.stringify(message.content).length;
        }
        const position = page.at(-1)?.seq ?? after;
        remember(viewer, sessionId, position);
        // Only an empty page shows that the client has the whole log.
        if (isFull || page.length > 0) viewer.held?.set(sessionId, position);
      }
      return messages;
    },

    /** Sends what was held back; from here on live entries reach the viewer directly. */
    async catchUp(viewer: Viewer): Promise<void> {
      const held = viewer.held ?? new Map<string, number>();
      viewer.held = undefined;
      for (const [sessionId, position] of held)
        readFor(viewer, sessionId, positionOf(viewer, sessionId, position + 1));
      await Promise.all([...viewer.catchingUp.values()].map((follower) => follower.caughtUp()));
    },
  };
}

function positionOf({ positions, oldUpTo }: Viewer, sessionId: string, seq: number): number {
  return positions.get(sessionId) ?? (sessionId > oldUpTo ? 0 : seq - 1);
}

function remember(viewer: Viewer, sessionId: string, seq: number): void {
  const { positions } = viewer;
  positions.delete(sessionId);
  positions.set(sessionId, seq);
  const [oldest] = positions.keys();
  if (positions.size <= MAX_POSITIONS || oldest === undefined) return;
  positions.delete(oldest);
  if (oldest > viewer.oldUpTo) viewer.oldUpTo = oldest;
}

export type WarRooms = ReturnType<typeof createWarRooms>;
