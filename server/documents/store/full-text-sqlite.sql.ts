import type { Db } from "../../storage/db.ts";
import { type FullTextIndex, toCandidate } from "./full-text.sql.ts";

// An entry of the index has a number and nothing else: the document's and, below it, the chunk's.
const CHUNKS_A_DOCUMENT = 2 ** 20;

const ENTRIES = `d.number * ${CHUNKS_A_DOCUMENT} + c.ordinal, d.owner_id || ' ' || d.id, c.terms
  from document as d join document_chunk as c on c.document_id = d.id
  where d.id = $1 and c.ordinal between $2 and $3`;

/**
 * FTS5 keeps the terms alone (`content=''`), without their positions. The ascii tokenizer takes every letter
 * beyond ASCII for a part of a word, so a term is found exactly as termsOf() made it. Owner and document are
 * words of a column of their own: the scope is part of the match, not a filter behind it. FTS5's own ranking is
 * not used: over 7,000 matches it takes 19 ms, the sum of weights 5.
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
        // Deleted words leave the index at once, not when its parts are merged some day.
        { sql: "insert into document_word (document_word, rank) values ('secure-delete', 1)" },
      ]);
    },
    add: (documentId, from, to) => ({
      sql: `insert into document_word (rowid, scope, words) select ${ENTRIES}`,
      params: [documentId, from, to],
    }),
    remove: (documentId, from, to) => ({
      sql: `insert into document_word (document_word, rowid, scope, words) select 'delete', ${ENTRIES}`,
      params: [documentId, from, to],
    }),
    async candidates({ ownerId, documentIds }, weights, limit) {
      const places = documentIds ?? [ownerId];
      if (weights.size === 0 || places.length === 0) return [];
      const inScope = `scope : (${places.map(quoted).join(" OR ")})`;
      const matches = [...weights].map(([term, weight]) => [
        `${inScope} AND words : ${quoted(term)}`,
        weight,
      ]);
      const selects = matches.map(
        (_, i) =>
          `select rowid as place, $${i * 2 + 4} as weight from document_word where document_word match $${i * 2 + 3}`,
      );
      // `cross join` keeps the order: the planner would begin with all documents of the owner.
      const rows = await db.query(
        `select d.id as document_id, c.ordinal, c.terms
         from (select place, sum(weight) as score from (${selects.join(" union all ")})
               group by place order by score desc limit $1) as hit
         cross join document as d cross join document_chunk as c
         where d.number = hit.place / ${CHUNKS_A_DOCUMENT} and d.owner_id = $2 and d.status = 'indexed'
           and c.document_id = d.id and c.ordinal = hit.place % ${CHUNKS_A_DOCUMENT}
         order by hit.score desc`,
        [limit, ownerId, ...matches.flat()],
      );
      return rows.map(toCandidate);
    },
  };
}

function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}
