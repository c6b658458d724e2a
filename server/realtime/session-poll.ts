import type { SessionRecord } from "../teams/session-record.ts";
import type { Sessions } from "../teams/sessions.ts";
import { SHOWN_SESSIONS } from "./join.ts";

export interface SessionPollDeps {
  sessions: Pick<Sessions, "listOfTeam" | "ofTeam" | "openIds">;
  /** So far reaches a session's log by its row. */
  reaches(teamId: string, sessionId: string, lastSeq: number): void;
}

/**
 * Looks at the rows for what was said while nobody could tell us: at a team's last sessions, at those under way, and
 * once more at those that were so. One that takes its time must not end unheard because many have begun after it.
 */
export function createSessionPoll({ sessions, reaches }: SessionPollDeps) {
  const followed = new Map<string, Set<string>>();

  function follow(teamId: string, ids: Iterable<string>): Set<string> {
    const known = followed.get(teamId) ?? new Set();
    for (const id of ids) known.add(id);
    followed.set(teamId, known);
    return known;
  }

  return {
    follow,
    forget: (teamId: string): void => void followed.delete(teamId),
    async at(teamId: string): Promise<void> {
      const open = new Set(await sessions.openIds(teamId));
      const known = follow(teamId, open);
      const rows = new Map<string, SessionRecord>();
      for (const row of (await sessions.listOfTeam(teamId, { limit: SHOWN_SESSIONS })).items)
        rows.set(row.id, row);
      // Whoever comes meanwhile follows more, for the next look.
      const looked = [...known];
      for (const id of looked) {
        const row = rows.get(id) ?? (await sessions.ofTeam(id, teamId));
        if (row !== undefined) rows.set(id, row);
      }
      for (const { id, status, lastSeq } of rows.values())
        if (status !== "waiting") reaches(teamId, id, lastSeq);
      for (const id of looked) if (!open.has(id)) known.delete(id);
    },
  };
}

export type SessionPoll = ReturnType<typeof createSessionPoll>;
