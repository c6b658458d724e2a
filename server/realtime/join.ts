import type { JoinWarRoom } from "../../contract/realtime.ts";
import type { LogEntry, Session } from "../../contract/teams.ts";
import { notFound } from "../lib/errors.ts";
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
  /** The team whose room the client may enter. */
  async function authorize(userId: string, { teamId, sessionId }: JoinWarRoom): Promise<string> {
    const id = sessionId === undefined ? teamId! : (await sessions.get(userId, sessionId)).teamId;
    // While a moved team waits for its sessions, the room already belongs to the other workspace.
    return (await teams.get(userId, id)).team.id;
  }

  /**
   * By session: its log. By team: the logs of active sessions, of the newest one, and of those named in `after`. Each
   * session's row is read once: a position from a second row would skip entries that the replay by the first leaves out.
   */
  async function plan(teamId: string, { sessionId, after = 0 }: JoinWarRoom): Promise<JoinPlan> {
    // Before the list, which then has all sessions that begin after this.
    const unfinished = await sessions.unfinishedIds(teamId);
    const { items } = await sessions.listOfTeam(teamId, { limit: SHOWN_SESSIONS });
    const rows = new Map(items.map((session) => [session.id, session]));
    const names = sessionId === undefined ? namesIn(after) : [sessionId];
    const older = [...new Set([...names, ...unfinished])].filter((id) => !rows.has(id));
    for (const session of await sessions.findAllInTeam(older, teamId)) rows.set(session.id, session);
    const named = names.flatMap((id) => rows.get(id) ?? []);
    if (sessionId !== undefined && named.length === 0) throw notFound("session", sessionId);

    const newest = items[0]?.id;
    const seqOf = (id: string): number => {
      if (typeof after !== "number") return after[id] ?? 0;
      return id === (sessionId ?? newest) ? after : 0;
    };
    // A client that reconnects names all sessions that it knows, and has the whole log of most.
    const isComplete = ({ id, status, lastSeq }: SessionRecord): boolean =>
      status !== "active" && seqOf(id) === lastSeq;
    const all = [...rows.values()];
    const positions = new Map(all.map((session) => [session.id, endOf(session)]));
    const isUnfinished = new Set(unfinished);
    // One that has ended since its id was read has entries that this client would receive without the ones before.
    const open = all.filter(({ id, status }) => id === newest || status === "active" || isUnfinished.has(id));
    const shown = new Set([...open, ...named].filter((session) => !isComplete(session)));
    return {
      sessions: (sessionId === undefined ? items : named).map(sessions.view),
      // A session that still waits for a client to join is sent as events once it starts, from its first entry.
      replay: new Map(
        [...(sessionId === undefined ? shown : named)]
          .filter(({ status }) => status !== "waiting")
          .map(({ id }) => [id, seqOf(id)]),
      ),
      positions,
      oldUpTo: items.length < SHOWN_SESSIONS ? "" : items.at(-1)!.id,
    };
  }

  return {
    authorize,
    plan,
    replay: (viewer: Viewer, replay: ReadonlyMap<string, number>): Promise<LogEntry[]> =>
      rooms.replay(viewer, replay, MAX_ACKNOWLEDGED_ENTRIES),
  };
}

function namesIn(after: JoinWarRoom["after"]): string[] {
  return typeof after === "object" ? Object.keys(after).slice(0, MAX_NAMED_SESSIONS) : [];
}

/** Entries up to this seq are not new to a client that joins. */
function endOf({ status, lastSeq }: SessionRecord): number {
  return status === "waiting" ? 0 : lastSeq;
}
