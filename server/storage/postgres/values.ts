import type { SqlValue } from "../db.ts";

/**
 * PostgreSQL text cannot hold U+0000, so it is stored as U+FFFD, the replacement character. JSON stored as text contains
 * the escape `\u0000` and keeps it; `json_each` in prelude.ts follows the same rule.
 */
export function toParameter(value: SqlValue): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
  if (typeof value === "number") return String(value);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

export type Parser = (text: string) => unknown;

const asText: Parser = (text) => text;
const parsers = new Map<number, Parser>([
  // Booleans are 1 and 0, as in SQLite.
  [16, (text) => (text === "t" ? 1 : 0)],
  [17, (text) => new Uint8Array(Buffer.from(text.slice(2), "hex"))],
  // int8, int2, int4, oid, float4, float8, numeric: a value beyond 2^53 loses digits, as on SQLite.
  ...[20, 21, 23, 26, 700, 701, 1700].map((oid): [number, Parser] => [oid, Number]),
]);

/** By type id, for these connections only: `pg` keeps a global table for all others. */
export function parserOf(typeId: number): Parser {
  return parsers.get(typeId) ?? asText;
}
