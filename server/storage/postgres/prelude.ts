/**
 * Functions that PostgreSQL lacks for the portable SQL, created once in the schema of the tables:
 *
 * - `json_each(text)` and `->>` on text, as in SQLite: an array becomes rows whose `value` is text, for scalars and for
 *   objects. U+0000 becomes U+FFFD, as in message-writer.ts; the pattern skips an escaped backslash.
 * - `batch_receipt`: see exactly-once.ts.
 */
const VERSION = "baton prelude 1";

export const PRELUDE_EXISTS = `select 1 as there from pg_proc where proname = 'json_each' and pronamespace = current_schema()::regnamespace
  and obj_description(oid, 'pg_proc') = '${VERSION}'`;

export const PRELUDE = [
  String.raw`create or replace function json_each(document text) returns table (value text)
    language sql immutable parallel safe as $$
      select * from json_array_elements_text((case when document like '%\\u0000%'
        then regexp_replace(document, '(?<!\\)((\\\\)*)\\u0000', '\1\\ufffd', 'g') else document end)::json)
    $$`,
  `create or replace function json_field(document text, field text) returns text
    language sql immutable parallel safe as $$ select document::json ->> field $$`,
  `do $$ begin
    if not exists (select 1 from pg_operator where oprname = '->>' and oprleft = 'text'::regtype and oprright = 'text'::regtype
        and oprnamespace = current_schema()::regnamespace) then
      create operator ->> (leftarg = text, rightarg = text, function = json_field);
    end if;
  end $$`,
  "create table if not exists batch_receipt (id text primary key, at bigint not null)",
  `comment on function json_each(text) is '${VERSION}'`,
];

/** The server's clock: a machine whose clock is a day ahead would delete receipts that are still needed. */
export const RECEIPT_TIME = "cast(extract(epoch from now()) * 1000 as bigint)";
const DAY_MS = 24 * 3600 * 1000;

/** Receipts left by processes that died. */
export const OLD_RECEIPTS = `delete from batch_receipt where at < ${RECEIPT_TIME} - ${DAY_MS}`;
