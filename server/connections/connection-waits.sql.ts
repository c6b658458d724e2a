import type { Db } from "../storage/db.ts";

export interface ConnectionWait {
  taskId: string;
  path: string;
}

export type ListConnectionWaits = (ownerId: string, connectionId: string) => Promise<ConnectionWait[]>;

/** Steps of waiting runs that failed because of this connection. Their recorded input names it. */
export function createListConnectionWaits(db: Db): ListConnectionWaits {
  return async (ownerId, connectionId) => {
    const rows = await db.query(
      `select distinct task.id as task_id, journal.path as path from task
       join journal on journal.task_id = task.id and journal.kind = 'attempt'
       where task.owner_id = $ownerId and task.status = 'waiting' and journal.input like $input
         and journal.error like '%"connection_authorization_required"%'
       order by task.id limit 10000`,
      { ownerId, input: `%"${connectionId}"%` },
    );
    return rows.map((row) => ({ taskId: row["task_id"] as string, path: row["path"] as string }));
  };
}
