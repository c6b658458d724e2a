import { type LexicalStore, termWeights } from "../retrieve/lexical.ts";
import type { Db, Statement } from "../../storage/db.ts";
import type { DocumentLease } from "../ingest/document-task.ts";
import type { FullTextIndex } from "./full-text.sql.ts";
import { HELD, leaseParams } from "./lease.sql.ts";

// Weighing 8,000 chunks takes about 8 ms. A term in more of them says little: it only adds to the score of chunks that
// rarer terms have found.
const MATCHED_CHUNKS = 8000;
const MATCHED_TERMS = 64;

/** Term counts of each owner's chunks, and the choice of a question's terms that are searched for. */
export function createLexicalStore(db: Db, fullText: FullTextIndex): LexicalStore {
  async function containing(ownerId: string, terms: readonly string[]): Promise<Map<string, number>> {
    const rows = await db.query<{ term: string; chunks: number }>(
      `select term, chunks from document_term where owner_id = $ownerId
         and term in (select e.value from json_each(cast($terms as text)) as e)`,
      { ownerId, terms: JSON.stringify(terms) },
    );
    return new Map(rows.map(({ term, chunks }) => [term, Number(chunks)]));
  }

  const store: LexicalStore = {
    async statistics(ownerId, terms) {
      const [total] = await db.query<{ chunks: number | null; terms: number | null }>(
        "select sum(chunks) as chunks, sum(terms) as terms from document where owner_id = $ownerId and status = 'indexed'",
        { ownerId },
      );
      const chunks = Number(total?.chunks ?? 0);
      return {
        chunks,
        averageLength: Number(total?.terms ?? 0) / (chunks || 1),
        containing: await containing(ownerId, terms),
      };
    },
    async candidates(scope, terms, limit) {
      const statistics = await store.statistics(scope.ownerId, terms);
      const chosen = selectiveTerms(statistics.containing, scope.documentIds !== undefined);
      return fullText.candidates(scope, termWeights(chosen, statistics), limit);
    },
  };
  return store;
}

/** Inside given documents every term may help; across a whole library only the rare ones do. */
function selectiveTerms(counts: ReadonlyMap<string, number>, inside: boolean): string[] {
  const rarestFirst = [...counts].sort((a, b) => a[1] - b[1]).slice(0, MATCHED_TERMS);
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
export async function removeTerms(db: Db, ownerId: string, limit: number): Promise<number> {
  const [removed = []] = await db.batch([
    {
      sql: `delete from document_term where owner_id = $ownerId and term in
              (select term from document_term where owner_id = $ownerId order by term limit $limit) returning 1 as one`,
      params: { ownerId, limit },
    },
  ]);
  return removed.length;
}
