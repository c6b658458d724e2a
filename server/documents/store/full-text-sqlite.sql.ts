import type { Db, SqlValue } from "../../storage/db.ts";
import type { SearchScope } from "../retrieve/vector-index.ts";
import { type FullTextIndex, toKey } from "./full-text.sql.ts";
import { HELD, leaseParams } from "./lease.sql.ts";

// The index stores no columns of its own: the row id packs the document's number and the chunk's ordinal.
const CHUNKS_PER_DOCUMENT = 2 ** 20;

const entriesOf = (
  owner: string,
) => `d.number * ${CHUNKS_PER_DOCUMENT} + c.ordinal, ${owner} || ' ' || d.id, c.terms
  from document as d join document_chunk as c on c.document_id = d.id
  where d.id = $documentId and c.ordinal between $first and $last and ${HELD}`;

/**
 * FTS5 stores the terms only (`content=''`), without positions. The ascii tokenizer treats every letter beyond ASCII as
 * part of a word, so a term matches exactly as termsOf() produced it. Owner and document are words of a column of their
 * own: the scope is part of the match, not a filter after it. FTS5's own ranking is not used: over 7,000 matches it
 * takes 19 ms, the sum of weights 5.
 */
export function createSqliteFullTextIndex(db: Db): FullTextIndex {
  return {
    async prepare() {
      const [found] = await db.query("select 1 as found from sqlite_master where name = 'document_word'");
      if (found) return;
      await db.batch([
        {
          sql: `create virtual table document_word using fts5 (scope, words, content='', detail=column,
                tokenize="ascii tokenchars '_'")`,
        },
        // Deleted terms leave the index at once, not at some later merge: a deleted document must not stay readable.
        { sql: "insert into document_word (document_word, rank) values ('secure-delete', 1)" },
      ]);
    },
    add: (lease, range) => ({
      sql: `insert into document_word (rowid, scope, words) select ${entriesOf("d.owner_id")}`,
      params: { ...leaseParams(lease), ...range },
    }),
    remove: (lease, range) => ({
      sql: `insert into document_word (document_word, rowid, scope, words) select 'delete', ${entriesOf("coalesce(d.former_owner_id, d.owner_id)")}`,
      params: { ...leaseParams(lease), ...range },
    }),
    async count(scope, terms) {
      if (terms.length === 0 || scope.documentIds.length === 0) return new Map();
      const params: Record<string, SqlValue> = {};
      const selects = terms.map((term, i) => {
        params[`match${i}`] = `${matchOf(scope)} AND words : ${quoted(term)}`;
        return `select ${i} as term, count(*) as chunks from document_word where document_word match $match${i}`;
      });
      const rows = await db.query<{ term: number; chunks: number }>(selects.join(" union all "), params);
      return new Map(rows.map(({ term, chunks }) => [terms[Number(term)]!, Number(chunks)]));
    },
    async search(scope, weights, limit) {
      if (weights.size === 0 || scope.documentIds?.length === 0) return [];
      const params: Record<string, SqlValue> = { limit, ownerId: scope.ownerId };
      const selects = [...weights].map(([term, weight], i) => {
        params[`match${i}`] = `${matchOf(scope)} AND words : ${quoted(term)}`;
        params[`weight${i}`] = weight;
        return `select rowid as place, $weight${i} as weight from document_word where document_word match $match${i}`;
      });
      const rows = await db.query(
        `select d.id as document_id, hit.place % ${CHUNKS_PER_DOCUMENT} as ordinal
         from (select place, sum(weight) as score from (${selects.join(" union all ")})
               group by place order by score desc, place limit $limit) as hit
         cross join document as d
         where d.number = hit.place / ${CHUNKS_PER_DOCUMENT} and d.owner_id = $ownerId and d.status = 'indexed'
         order by hit.score desc, hit.place`,
        params,
      );
      return rows.map(toKey);
    },
  };
}

function matchOf({ ownerId, documentIds }: SearchScope): string {
  return `scope : (${(documentIds ?? [ownerId]).map(quoted).join(" OR ")})`;
}

function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}
