import { createHash } from "node:crypto";

export interface PostgresStatement {
  text: string;
  /** Which parameters it uses, in order, where those are not all. */
  order?: number[];
}

/**
 * All that differs between the two databases in a statement's text. Text compares by its bytes (`collate "C"`), as in
 * SQLite, whatever the database was made with: pages are cut at the same place, and indexes serve `<` and `like`.
 */
export function toPostgres(sql: string): PostgresStatement {
  const text = sql
    .replaceAll("/*skip-locked*/", "for update skip locked")
    // What an `update` of the row takes, too.
    .replaceAll("/*for-update*/", "for no key update");
  if (/^\s*(create|alter) table/i.test(text))
    return { text: text.replaceAll(/(\w+) text\b/g, '$1 text collate "C"') };
  return withoutGaps(text);
}

/** PostgreSQL cannot tell the type of a parameter that a statement does not use. */
function withoutGaps(text: string): PostgresStatement {
  const used = [...new Set(Array.from(text.matchAll(/\$(\d+)/g), ([, number]) => Number(number)))].sort(
    (a, b) => a - b,
  );
  if (used.length === (used.at(-1) ?? 0)) return { text };
  return {
    text: text.replaceAll(/\$(\d+)/g, (_match, number: string) => `$${used.indexOf(Number(number)) + 1}`),
    order: used.map((number) => number - 1),
  };
}

/** The same text has the same name on every connection: a pooler may hand us one that knows it already. */
export function statementName(sql: string): string {
  return `baton_${createHash("sha256").update(sql).digest("hex").slice(0, 20)}`;
}
