import type { Db } from "../storage/db.ts";

export interface ConnectionWait {
  taskId: string;
  path: string;
}

export interface ConnectionWaitPage {
  waits: ConnectionWait[];
  /** The last waiting run that was read; undefined after the last page. */
  next: string | undefined;
}

export type ListConnectionWaits = (
  ownerId: string,
  connectionId: string,
  after: string,
) => Promise<ConnectionWaitPage>;

/** Waiting runs of one query: it reads their whole journals. */
const RUNS_PER_PAGE = 100;

/** Steps of waiting runs that failed because of this connection: their recorded error names it. */
export function createListConnectionWaits(db: Db, runsPerPage = RUNS_PER_PAGE): ListConnectionWaits {
  return async (ownerId, connectionId, after) => {
    const rows = await db.query(
      `select distinct run.id as task_id, journal.path as path
       from (select id from task where owner_id = $ownerId and status = 'waiting' and id > $after order by id limit $limit) as run
       left join journal on journal.task_id = run.id and journal.kind = 'attempt'
         and (journal.error->>'details')->>'connection' = $connectionId
       order by run.id`,
      { ownerId, after, limit: runsPerPage, connectionId },
    );
    const runs = new Set(rows.map((row) => row["task_id"] as string));
    return {
      waits: rows.flatMap((row) =>
        row["path"] === null ? [] : [{ taskId: row["task_id"] as string, path: row["path"] as string }],
      ),
      next: runs.size < runsPerPage ? undefined : [...runs].at(-1),
    };
  };
}
