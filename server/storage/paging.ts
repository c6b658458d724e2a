import type { ResultPage } from "../lib/result-page.ts";
import type { Db, Row, SqlValue } from "./db.ts";

/** Lists are sorted newest first with `id < cursor`; this value sorts after every id prefix, in any collation. */
export const AFTER_EVERY_ID = "zzzz";

const PAGE_CHARACTERS = 4_000_000;

export interface SizedList {
  columns: string;
  /** `from … where …` with the names of `params`. */
  from: string;
  params: Readonly<Record<string, SqlValue>>;
  /** SQL expression: how many characters a row adds to the response. */
  size: string;
}

/** A page of large records ends early and the cursor continues there, so a response never grows without bound. */
export async function sizedPage<T extends { id: string }>(
  db: Db,
  { columns, from, params, size }: SizedList,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  toItem: (row: Row) => T,
): Promise<ResultPage<T>> {
  const rows = await db.query(
    `select ${columns}, fetched from (
       select candidate.*, sum(${size}) over (order by id desc) - ${size} as characters_before, count(*) over () as fetched
       from (select * ${from} and id < $cursor order by id desc limit $limit) as candidate
     ) as page where characters_before < ${PAGE_CHARACTERS} order by id desc`,
    { ...params, cursor: cursor ?? AFTER_EVERY_ID, limit: limit + 1 },
  );
  const items = rows.slice(0, limit).map(toItem);
  const more = Number(rows[0]?.["fetched"] ?? 0) > items.length;
  return { items, nextCursor: more ? (items.at(-1)?.id ?? null) : null };
}
