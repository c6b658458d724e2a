import { type Claim, claimLost } from "../ingest/document-claim.ts";
import type { Db, Row, Statement } from "../../storage/db.ts";

/**
 * Writes of whoever holds the claim: all of them, or none and `claimLost`. The row is locked first, so that a claim
 * cannot change hands before they are committed; without the claim a column that takes no null gets one, which undoes the
 * whole batch. A condition in each statement would do as well, until somebody forgets one.
 */
export async function writeClaimed(
  db: Db,
  { documentId, epoch }: Claim,
  statements: readonly Statement[],
): Promise<Row[][]> {
  const params = [documentId, epoch];
  const lock = { sql: "select id from document where id = $1 and epoch = $2 /*for-update*/", params };
  const refuse = {
    sql: `insert into document_vectors (document_id, vectors)
          select cast($1 as text), null where not exists (select 1 from document where id = $1 and epoch = $2)`,
    params,
  };
  try {
    const [, , ...rows] = await db.batch([lock, refuse, ...statements]);
    return rows;
  } catch (error) {
    const held = await db.query("select 1 as held from document where id = $1 and epoch = $2", params);
    throw held.length === 1 ? error : claimLost();
  }
}
