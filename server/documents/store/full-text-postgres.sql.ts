import type { Db } from "../../storage/db.ts";
import { type FullTextIndex, toKey } from "./full-text.sql.ts";
import { HELD, leaseParams } from "./lease.sql.ts";

/** A number for a word of an owner. MD5, because every version of PostgreSQL computes the same. */
const wordOf = (owner: string, term: string): string =>
  `cast(cast('x' || substr(md5(${owner} || ' ' || ${term}), 1, 16) as bit(64)) as bigint)`;

/**
 * One row per chunk with the numbers of its words under a GIN index: every PostgreSQL has it, without extensions. The
 * owner is part of each number, so a search reads only the owner's own entries.
 */
export function createPostgresFullTextIndex(db: Db): FullTextIndex {
  return {
    async prepare() {
      const [found] = await db.query("select to_regclass('document_word') as found");
      if (found?.["found"] !== null) return;
      await db.exclusively(async (alone) => {
        await alone.batch([
          {
            sql: `create table if not exists document_word (document_id text not null references document (id) on delete cascade,
                  ordinal bigint not null, words bigint[] not null, primary key (document_id, ordinal))`,
          },
          // Without the pending list, which every search would have to scan.
          {
            sql: "create index if not exists document_word_by_word on document_word using gin (words) with (fastupdate = off)",
          },
        ]);
      });
    },
    add: (lease, range) => ({
      sql: `insert into document_word (document_id, ordinal, words)
            select c.document_id, c.ordinal, array(select distinct ${wordOf("d.owner_id", "term")} from unnest(string_to_array(c.terms, ' ')) as term)
            from document as d join document_chunk as c on c.document_id = d.id
            where d.id = $documentId and c.ordinal between $first and $last and ${HELD} on conflict do nothing`,
      params: { ...leaseParams(lease), ...range },
    }),
    remove: (lease, range) => ({
      sql: `delete from document_word where document_id = $documentId and ordinal between $first and $last and ${HELD}`,
      params: { ...leaseParams(lease), ...range },
    }),
    async count({ ownerId, documentIds }, terms) {
      if (terms.length === 0 || documentIds.length === 0) return new Map();
      const rows = await db.query<{ term: string; chunks: number }>(
        `select e.value as term, (select count(*) from document_word as w
           where w.words @> array[${wordOf("$ownerId", "e.value")}]
             and w.document_id in (select value from json_each(cast($documentIds as text)))) as chunks
         from json_each(cast($terms as text)) as e`,
        { ownerId, terms: JSON.stringify(terms), documentIds: JSON.stringify(documentIds) },
      );
      return new Map(rows.map(({ term, chunks }) => [term, Number(chunks)]));
    },
    async search({ ownerId, documentIds }, weights, limit) {
      if (weights.size === 0 || documentIds?.length === 0) return [];
      const inside = "and w.document_id in (select value from json_each(cast($documentIds as text)))";
      const rows = await db.query(
        `with asked as materialized (select ${wordOf("$ownerId", "(e.value ->> 'term')")} as word, cast(e.value ->> 'weight' as double precision) as weight
           from json_each(cast($terms as text)) as e),
         hit as (select w.document_id, w.ordinal, (select sum(a.weight) from asked as a where a.word = any (w.words)) as score
           from document_word as w where w.words && array(select word from asked) ${documentIds === undefined ? "" : inside}
           order by score desc, w.document_id, w.ordinal limit $limit)
         select hit.document_id, hit.ordinal from hit join document as d on d.id = hit.document_id
         where d.owner_id = $ownerId and d.status = 'indexed' order by hit.score desc, hit.document_id, hit.ordinal`,
        {
          ownerId,
          terms: JSON.stringify([...weights].map(([term, weight]) => ({ term, weight }))),
          limit,
          documentIds: JSON.stringify(documentIds ?? []),
        },
      );
      return rows.map(toKey);
    },
  };
}
