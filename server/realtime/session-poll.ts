import type { SessionRecord } from "../teams/session-record.ts";
import type { Sessions } from "../teams/sessions.ts";
import { SHOWN_SESSIONS } from "./join.ts";

export interface SessionPollDeps {
  sessions: Pick<Sessions, "listOfTeam" | "findAllInTeam" | "unfinishedIds">;
  /** Receives the last seq that a session's row names. */
  onLogEnd(teamId: string, sessionId: string, lastSeq: number): void;
}

/**
 * Reads session rows to find entries whose hint was lost: a process that crashes right after a write publishes none.
 * Polls the team's latest sessions and the active ones. A session that was active is polled once more after its
 * end, so that a long one does not end unnoticed because many newer ones push it out of the latest.
 */
export function createSessionPoll({ sessions, onLogEnd }: SessionPollDeps) {
  const tracked = new Map<string, Set<string>>();

  function track(teamId: string, ids: Iterable<string>): Set<string> {
    const known = tracked.get(teamId) ?? new Set();
    for (const id of ids) known.add(id);
    tracked.set(teamId, known);
    return known;
  }

  return {
    track,
    forgetTeam: (teamId: string): void => void tracked.delete(teamId),
    async poll(teamId: string): Promise<void> {
      const open = new Set(await sessions.unfinishedIds(teamId));
      const known = track(teamId, open);
      const rows = new Map<string, SessionRecord>();
      for (const row of (await sessions.listOfTeam(teamId, { limit: SHOWN_SESSIONS })).items)
        rows.set(row.id, row);
      // A copy: sessions tracked during the awaits below belong to the next poll.
      const polled = [...known];
      const older = polled.filter((id) => !rows.has(id));
      for (const row of await sessions.findAllInTeam(older, teamId)) rows.set(row.id, row);
      for (const { id, status, lastSeq } of rows.values())
        if (status !== "waiting") onLogEnd(teamId, id, lastSeq);
      for (const id of polled) if (!open.has(id)) known.delete(id);
    },
  };
}

export type SessionPoll = ReturnType<typeof createSessionPoll>;
