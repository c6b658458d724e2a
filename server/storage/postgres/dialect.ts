import { createHash } from "node:crypto";
import { type CompiledSql, toNumbered } from "../parameters.ts";

/**
 * Translates the portable SQL. Text is compared by bytes (`collate "C"`), as in SQLite, whatever collation the database
 * was created with: pages have the same bounds, and indexes serve `<` and `like`.
 */
export function toPostgres(sql: string): CompiledSql {
  const text = sql
    .replaceAll("/*skip-locked*/", "for update skip locked")
    // The same lock as an `update` of the row.
    .replaceAll("/*for-update*/", "for no key update");
  if (/^\s*(create|alter) table/i.test(text))
    return { text: text.replaceAll(/(\w+) text\b/g, '$1 text collate "C"'), sources: [], inOrder: true };
  // Renumbered: PostgreSQL cannot infer the type of a parameter that a statement does not use.
  return toNumbered(text);
}

/** The same text has the same name on every connection: a pooler may return a connection that has it already. */
export function statementName(sql: string): string {
  return `baton_${createHash("sha256").update(sql).digest("hex").slice(0, 20)}`;
}
