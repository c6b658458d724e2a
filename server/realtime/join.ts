import type { JoinWarRoom } from "../../contract/realtime.ts";
import type { LogEntry, Session } from "../../contract/teams.ts";
import type { Presence } from "../teams/presence.ts";
import type { SessionRecord } from "../teams/session-record.ts";
import type { Sessions } from "../teams/sessions.ts";
import type { Teams } from "../teams/teams.ts";
import type { Viewer, WarRooms } from "./war-room.ts";

export interface JoinDeps {
  rooms: WarRooms;
  sessions: Sessions;
  teams: Pick<Teams, "get">;
  presence: Presence;
}

export interface JoinPlan {
  teamId: string;
  sessions: Session[];
  /** Which logs are told, from after which seq. */
  replay: Map<string, number>;
  /** How far the logs of the team's last sessions reach: what is new in them is told from there. */
  reached: Map<string, number>;
  /** Whatever is not among them has begun since, or has an id up to this and is old. */
  oldUpTo: string;
}

export const SHOWN_SESSIONS = 20;
const MAX_NAMED_SESSIONS = 100;
/** What the acknowledgement itself carries at most. */
const MAX_ANSWERED = 200;

export type Join = ReturnType<typeof createJoin>;

export function createJoin({ rooms, sessions, teams }: JoinDeps) {
  /** By session: its log. By team: the logs of the sessions under way, of the newest one, and of those named in `after`. */
  async function plan(userId: string, { teamId, sessionId, after = 0 }: JoinWarRoom): Promise<JoinPlan> {
    if (sessionId !== undefined) {
      const session = await sessions.get(userId, sessionId);
      const seq = typeof after === "number" ? after : (after[sessionId] ?? 0);
      const { items } = await sessions.listOfTeam(session.teamId, { limit: SHOWN_SESSIONS });
      return {
        teamId: session.teamId,
        sessions: [sessions.view(session)],
        replay: told([session], () => seq),
        ...standing(items),
      };
    }
    const { team } = await teams.get(userId, teamId!);
    const { items } = await sessions.listOfTeam(team.id, { limit: SHOWN_SESSIONS });
    const shown = new Map(
      items
        .filter(({ status }, index) => index === 0 || status === "active")
        .map((session) => [session.id, session]),
    );
    const named = typeof after === "number" ? [] : Object.keys(after).slice(0, MAX_NAMED_SESSIONS);
    for (const id of named) {
      const session = await sessions.ofTeam(id, team.id);
      if (session !== undefined) shown.set(id, session);
    }
    const newest = items[0]?.id;
    const seqOf = (id: string): number =>
      typeof after === "number" ? (id === newest ? after : 0) : (after[id] ?? 0);
    return {
      teamId: team.id,
      sessions: items.map(sessions.view),
      replay: told([...shown.values()], seqOf),
      ...standing(items),
    };
  }

  return {
    plan,
    replay: (viewer: Viewer, replay: ReadonlyMap<string, number>): Promise<LogEntry[]> =>
      rooms.replay(viewer, replay, MAX_ANSWERED),
  };
}

/** A run that still waits for somebody to join is told from its beginning once it begins, as events. */
function told(sessions: readonly SessionRecord[], seqOf: (id: string) => number): Map<string, number> {
  return new Map(sessions.filter(({ status }) => status !== "waiting").map(({ id }) => [id, seqOf(id)]));
}

function standing(items: readonly SessionRecord[]): Pick<JoinPlan, "reached" | "oldUpTo"> {
  return {
    reached: new Map(items.map(({ id, status, lastSeq }) => [id, status === "waiting" ? 0 : lastSeq])),
    oldUpTo: items.length < SHOWN_SESSIONS ? "" : items.at(-1)!.id,
  };
}
