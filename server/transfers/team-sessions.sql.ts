import type { Db } from "../storage/db.ts";
import { forgetHours } from "../storage/engine/task-hours.ts";

/** A team that was moved and whose sessions are still in the former workspace. */
export interface MovedTeam {
  teamId: string;
  sourceId: string;
  targetId: string;
}

const ENDED = "('completed', 'failed', 'cancelled')";

export type TeamSessionStore = ReturnType<typeof createTeamSessionStore>;

/** The sessions of moved teams. A batch is one transaction, so a session is in one workspace at any time. */
export function createTeamSessionStore(db: Db) {
  return {
    async listMoved(): Promise<MovedTeam[]> {
      const rows = await db.query<{ id: string; owner_id: string; former_owner_id: string }>(
        "select id, owner_id, former_owner_id from team where former_owner_id is not null order by id",
      );
      return rows.map((row) => ({
        teamId: row.id,
        sourceId: row.former_owner_id,
        targetId: row.owner_id,
      }));
    },

    /** Moves some sessions that have ended; returns how many. Two processes may do it at once. */
    async moveBatch({ teamId, sourceId, targetId }: MovedTeam, limit: number): Promise<number> {
      const rows = await db.query<{ id: string }>(
        `select id from session where team_id = $teamId and owner_id = $sourceId and status in ${ENDED} order by id limit $limit`,
        { teamId, sourceId, limit },
      );
      if (rows.length === 0) return 0;
      const taskIds = rows.map(({ id }) => id);
      const dropHours = forgetHours(taskIds);
      const params = { sourceId, targetId, ids: JSON.stringify(taskIds) };
      const chosen = "in (select value from json_each(cast($ids as text)))";
      await db.batch(
        [
          ...dropHours,
          {
            sql: `update session set owner_id = $targetId where owner_id = $sourceId and status in ${ENDED} and id ${chosen}`,
            params,
          },
          ...[
            { table: "task", key: "id" },
            { table: "remote_task", key: "session_id" },
            { table: "a2a_task", key: "context_id" },
          ].map(({ table, key }) => ({
            sql: `update ${table} set owner_id = $targetId where owner_id = $sourceId and ${key} ${chosen}
                    and exists (select 1 from session as s where s.id = ${table}.${key} and s.owner_id = $targetId)`,
            params,
          })),
          // Now they count in the hours of the new workspace.
          ...dropHours,
        ],
        { alone: true },
      );
      return taskIds.length;
    },

    async hasSessions({ teamId, sourceId }: MovedTeam): Promise<boolean> {
      const rows = await db.query(
        "select 1 as one from session where team_id = $teamId and owner_id = $sourceId limit 1",
        { teamId, sourceId },
      );
      return rows.length > 0;
    },

    /** Unless it has sessions there, or was moved or changed after `before`. */
    async finish({ teamId, sourceId }: MovedTeam, before: number): Promise<void> {
      await db.batch([
        {
          sql: `update team set former_owner_id = null where id = $teamId and former_owner_id = $sourceId and updated_at < $before
                  and not exists (select 1 from session as s where s.team_id = $teamId and s.owner_id = $sourceId)`,
          params: { teamId, sourceId, before },
        },
      ]);
    },
  };
}
