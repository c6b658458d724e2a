import type { JoinWarRoom } from "../../contract/realtime.ts";
import type { LogEntry, Session } from "../../contract/teams.ts";
import type { SessionRecord } from "../teams/session-record.ts";
import type { Sessions } from "../teams/sessions.ts";
import type { Teams } from "../teams/teams.ts";
import type { Viewer, WarRooms } from "./war-room.ts";

export interface JoinDeps {
  rooms: Pick<WarRooms, "replay">;
  sessions: Sessions;
  teams: Pick<Teams, "get">;
}

export interface JoinPlan {
  teamId: string;
  sessions: Session[];
  /** The logs to replay, by session, each with the seq after which it starts. */
  replay: Map<string, number>;
  /** Where the client is in the team's latest sessions and in those that it named: later entries are new to it. */
  positions: Map<string, number>;
  /** A session that has no position is old up to this id, and new after it. */
  oldUpTo: string;
}

export const SHOWN_SESSIONS = 20;
const MAX_NAMED_SESSIONS = 100;
/** Entries in the acknowledgement; the rest follows as events. */
const MAX_ACKNOWLEDGED_ENTRIES = 200;

export type Join = ReturnType<typeof createJoin>;

export function createJoin({ rooms, sessions, teams }: JoinDeps) {
  /** By session: its log. By team: the logs of active sessions, of the newest one, and of those named in `after`. */
  async function plan(userId: string, { teamId, sessionId, after = 0 }: JoinWarRoom): Promise<JoinPlan> {
    if (sessionId !== undefined) {
      const session = await sessions.get(userId, sessionId);
      // While a moved team waits for its sessions, the room already belongs to the other workspace.
      await teams.get(userId, session.teamId);
      const seq = typeof after === "number" ? after : (after[sessionId] ?? 0);
      const { items } = await sessions.listOfTeam(session.teamId, { limit: SHOWN_SESSIONS });
      return {
        teamId: session.teamId,
        sessions: [sessions.view(session)],
        replay: replayOf([session], () => seq),
        ...positionsOf(items),
      };
    }
    const { team } = await teams.get(userId, teamId!);
    const { items } = await sessions.listOfTeam(team.id, { limit: SHOWN_SESSIONS });
    const shown = new Map(
      items
        .filter(({ status }, index) => index === 0 || status === "active")
        .map((session) => [session.id, session]),
    );
    const names = typeof after === "number" ? [] : Object.keys(after).slice(0, MAX_NAMED_SESSIONS);
    const named = await sessions.findAllInTeam(names, team.id);
    for (const session of named) shown.set(session.id, session);
    const newest = items[0]?.id;
    const seqOf = (id: string): number =>
      typeof after === "number" ? (id === newest ? after : 0) : (after[id] ?? 0);
    // A client that reconnects names all sessions that it knows, and has the whole log of most.
    const isComplete = ({ id, status, lastSeq }: SessionRecord): boolean =>
      status !== "active" && seqOf(id) === lastSeq;
    const { positions, oldUpTo } = positionsOf(items);
    for (const { id } of named.filter(isComplete)) positions.set(id, seqOf(id));
    return {
      teamId: team.id,
      sessions: items.map(sessions.view),
      replay: replayOf(
        [...shown.values()].filter((session) => !isComplete(session)),
        seqOf,
      ),
      positions,
      oldUpTo,
    };
  }

  return {
    plan,
    replay: (viewer: Viewer, replay: ReadonlyMap<string, number>): Promise<LogEntry[]> =>
      rooms.replay(viewer, replay, MAX_ACKNOWLEDGED_ENTRIES),
  };
}

/** A session that still waits for a client to join is sent as events once it starts, from its first entry. */
function replayOf(sessions: readonly SessionRecord[], seqOf: (id: string) => number): Map<string, number> {
  return new Map(sessions.filter(({ status }) => status !== "waiting").map(({ id }) => [id, seqOf(id)]));
}

function positionsOf(items: readonly SessionRecord[]): Pick<JoinPlan, "positions" | "oldUpTo"> {
  return {
    positions: new Map(items.map(({ id, status, lastSeq }) => [id, status === "waiting" ? 0 : lastSeq])),
    oldUpTo: items.length < SHOWN_SESSIONS ? "" : items.at(-1)!.id,
  };
}
