import type { Statement } from "../db.ts";

export const HOUR_MS = 3600 * 1000;

/**
 * Statistics keep the counts of past hours (`task_hour`). A write that takes an ended task out of its hour, because it is
 * reopened or deleted, starts with these statements. They drop the counts of the hour, which are computed again when
 * they are needed.
 */
export function forgetHours(taskIds: readonly string[]): Statement[] {
  const params = { ids: JSON.stringify(taskIds) };
  const ended = `from task where id in (select value from json_each(cast($ids as text))) and completed_at is not null`;
  return [
    lockHours(`id in (select owner_id ${ended})`, params),
    {
      sql: `delete from task_hour where (owner_id, scope, hour) in
              (select owner_id, '', completed_at / ${HOUR_MS} ${ended}
               union all select owner_id, workflow_id, completed_at / ${HOUR_MS} ${ended})`,
      params,
    },
  ];
}

/**
 * Held while the hours of a workspace are counted or dropped. Without it, an hour could be stored with a task that
 * another process reopened during the count.
 */
export function lockHours(where: string, params: NonNullable<Statement["params"]>): Statement {
  return { sql: `select id from workspace where ${where} order by id /*for-update*/`, params };
}
