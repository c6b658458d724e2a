/**
 * Holds for the rows of `collection as c` that the workspace `$readerId` may read. Every statement that lets a reader in
 * carries it, so access is decided where the rows are read.
 */
export const READABLE_COLLECTION = `(c.owner_id = $readerId or c.shared_with_everyone = 1
  or exists (select 1 from collection_reader as r where r.collection_id = c.id and r.user_id = $readerId))`;

/** Holds for the rows of `document as d` that the workspace `$readerId` owns or reads through a collection. */
export const READABLE_DOCUMENT = `(d.owner_id = $readerId or exists (
  select 1 from collection_document as cd join collection as c on c.id = cd.collection_id
  where cd.document_id = d.id and ${READABLE_COLLECTION}))`;
