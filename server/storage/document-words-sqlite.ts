import type { LexicalCandidate } from "../documents/lexical.ts";
import type { SearchScope } from "../documents/vector-index.ts";
import type { Db, Row, Statement } from "./db.ts";

/**
 * The word index of the documents' chunks: which chunks of a scope hold any of the terms. The one thing here
 * that has no portable SQL, so each database brings its own.
 */
export interface DocumentWords {
  /** Makes the index where it is not there yet. */
  prepare(): Promise<void>;
  /** To be run after the chunks' rows are in, and before they go. */
  add(documentId: string, from: number, to: number): Statement;
  remove(documentId: string, from: number, to: number): Statement;
  candidates(scope: SearchScope, terms: readonly string[], limit: number): Promise<LexicalCandidate[]>;
}

// An entry of the index has a number and nothing else: the document's and, below it, the chunk's.
const CHUNKS_A_DOCUMENT = 2 ** 20;

const ENTRIES = `d.number * ${CHUNKS_A_DOCUMENT} + c.ordinal, d.owner_id || ' ' || d.id, c.terms
  from document as d join document_chunk as c on c.document_id = d.id
  where d.id = $1 and c.ordinal between $2 and $3`;

/**
 * FTS5 keeps the terms alone (`content=''`), without their positions. The ascii tokenizer takes every letter
 * beyond ASCII for a part of a word, so a term is found exactly as termsOf() made it. Owner and document are
 * words of a column of their own: the scope is part of the match, not a filter behind it.
 */
export function createSqliteWords(db: Db): DocumentWords {
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
    async candidates({ ownerId, documentIds }, terms, limit) {
      const places = documentIds ?? [ownerId];
      if (terms.length === 0 || places.length === 0) return [];
      const match = `scope : (${anyOf(places)}) AND words : (${anyOf(terms)})`;
      const rows = await db.query(
        `select d.id as document_id, c.ordinal, c.terms
         from (select rowid as place, rank from document_word where document_word match $1
               order by rank limit $2) as hit
         join document as d on d.number = hit.place / ${CHUNKS_A_DOCUMENT}
         join document_chunk as c on c.document_id = d.id and c.ordinal = hit.place % ${CHUNKS_A_DOCUMENT}
         where d.owner_id = $3 and d.status = 'indexed' order by hit.rank`,
        [match, limit, ownerId],
      );
      return rows.map(toCandidate);
    },
  };
}

function anyOf(words: readonly string[]): string {
  return words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" OR ");
}

function toCandidate(row: Row): LexicalCandidate {
  return {
    documentId: row["document_id"] as string,
    ordinal: Number(row["ordinal"]),
    terms: (row["terms"] as string).split(" "),
  };
}
