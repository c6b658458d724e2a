import type { Db, Row, Statement } from "../../storage/db.ts";
import { type DocumentLease, leaseLost } from "../ingest/document-task.ts";

/** Holds while the lease does. Every statement of a leased write carries it, with `$documentId` and `$epoch`. */
export const HELD = "exists (select 1 from task as held where held.id = $documentId and held.epoch = $epoch)";

/**
 * The task's row comes first and stays locked until the commit, so no claim can take the document over in between. A
 * crash counts against the document until its work is done, else a PDF that crashes the service would be retried forever.
 * In quarantine (queued) it still counts: a document that fails for its crashes must not run before its task has failed.
 */
const LOCK = "select id from task where id = $documentId and epoch = $epoch /*for-update*/";
const LOCK_AND_RESET_CRASHES =
  "update task set lives = case when status = 'queued' then lives else 0 end where id = $documentId and epoch = $epoch returning id";

/** The parameters of `HELD`. */
export function leaseParams({ documentId, epoch }: DocumentLease): { documentId: string; epoch: number } {
  return { documentId, epoch };
}

/** Runs the statements as one transaction, or throws `leaseLost` when none of them had an effect. */
export async function writeLeased(
  db: Db,
  lease: DocumentLease,
  statements: readonly Statement[],
  { isDone = false }: { isDone?: boolean } = {},
): Promise<Row[][]> {
  const lock = { sql: isDone ? LOCK_AND_RESET_CRASHES : LOCK, params: leaseParams(lease) };
  const [held, ...rows] = await db.batch([lock, ...statements]);
  if (held?.length !== 1) throw leaseLost();
  return rows;
}
