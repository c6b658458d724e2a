import { type LexicalStore, termWeights } from "../retrieve/lexical.ts";
import type { Db, Statement } from "../../storage/db.ts";
import type { SearchScope } from "../retrieve/vector-index.ts";
import type { DocumentLease } from "../ingest/document-task.ts";
import type { FullTextIndex } from "./full-text.sql.ts";
import { HELD, leaseParams } from "./lease.sql.ts";
import { deleteFirst } from "../../storage/delete-first.ts";

// Weighing 8,000 chunks takes about 8 ms. A term in more of them says little: it only adds to the score of chunks that
// rarer terms have found.
const MATCHED_CHUNKS = 8000;
const MATCHED_TERMS = 64;
/** Per question; SQLite allows at most 500 in one statement. */
const MAX_TERMS = 400;

/** Term counts of a scope, and the choice of a question's terms that are searched for. */
export function createLexicalStore(db: Db, fullText: FullTextIndex): LexicalStore {
  async function countInLibrary(ownerId: string, terms: readonly string[]): Promise<Map<string, number>> {
    const rows = await db.query<{ term: string; chunks: number }>(
      `select term, chunks from document_term where owner_id = $ownerId
         and term in (select e.value from json_each(cast($terms as text)) as e)`,
      { ownerId, terms: JSON.stringify(terms) },
    );
    return new Map(rows.map(({ term, chunks }) => [term, Number(chunks)]));
  }

  async function chunksIn({ ownerId, documentIds }: SearchScope): Promise<number> {
    const chosen = "and id in (select e.value from json_each(cast($documentIds as text)) as e)";
    const [total] = await db.query<{ chunks: number | null }>(
      `select sum(chunks) as chunks from document where owner_id = $ownerId and status = 'indexed'
       ${documentIds === undefined ? "" : chosen}`,
      { ownerId, documentIds: JSON.stringify(documentIds ?? []) },
    );
    return Number(total?.chunks ?? 0);
  }

  return {
    async searchTerms(scope, terms, limit) {
      const { ownerId, documentIds } = scope;
      const asked = terms.slice(0, MAX_TERMS);
      const [chunks, containing] = await Promise.all([
        chunksIn(scope),
        documentIds === undefined
          ? countInLibrary(ownerId, asked)
          : fullText.count({ ownerId, documentIds }, asked),
      ]);
      const statistics = { chunks, containing };
      const chosen = selectiveTerms(containing, documentIds !== undefined);
      return { statistics, keys: await fullText.search(scope, termWeights(chosen, statistics), limit) };
    },
  };
}

/** Inside given documents every term may help; across a whole library only the rare ones do. */
function selectiveTerms(counts: ReadonlyMap<string, number>, inside: boolean): string[] {
  const rarestFirst = [...counts]
    .filter(([, chunks]) => chunks > 0)
    .sort((a, b) => a[1] - b[1])
    .slice(0, MATCHED_TERMS);
  let matched = 0;
  return rarestFirst
    .filter(([, chunks], i) => {
      matched += chunks;
      return inside || i === 0 || matched <= MATCHED_CHUNKS;
    })
    .map(([term]) => term);
}

/** Adds the terms of some chunks to their owner's counts, or subtracts them. Part of a leased write. */
export function countTerms(
  lease: DocumentLease,
  chunks: readonly (readonly string[])[],
  direction: 1 | -1,
): Statement[] {
  const counts = new Map<string, number>();
  for (const terms of chunks)
    for (const term of new Set(terms)) counts.set(term, (counts.get(term) ?? 0) + direction);
  // In one order: two processes that count the same terms would otherwise deadlock.
  const ordered = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const params = {
    ...leaseParams(lease),
    ownerId: lease.ownerId,
    counts: JSON.stringify(ordered.map(([term, n]) => ({ term, n }))),
  };
  const upsert: Statement = {
    sql: `insert into document_term (owner_id, term, chunks)
          select $ownerId, e.value->>'term', cast(e.value->>'n' as bigint)
          from json_each(cast($counts as text)) as e where ${HELD}
          on conflict (owner_id, term) do update set chunks = document_term.chunks + excluded.chunks`,
    params,
  };
  if (direction === 1) return [upsert];
  return [
    upsert,
    {
      sql: `delete from document_term where owner_id = $ownerId and chunks <= 0 and ${HELD}
              and term in (select e.value->>'term' from json_each(cast($counts as text)) as e)`,
      params,
    },
  ];
}

/** Deletes up to `limit` term counts of this owner, whose documents are gone; returns how many. */
export function removeTerms(db: Db, ownerId: string, limit: number): Promise<number> {
  return deleteFirst(db, { table: "document_term", group: "owner_id", key: "term", value: ownerId }, limit);
}
