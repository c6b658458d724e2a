import type { SqlValue } from "../db.ts";

/**
 * PostgreSQL's text has no U+0000. It is stored as U+FFFD, the sign for what cannot be shown: a name keeps its other
 * characters, and an id that holds one is simply found nowhere. JSON that is stored as text says `\u0000` and keeps it;
 * `json_each` in prelude.ts follows the same rule.
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
  // Yes and no are 1 and 0, as in SQLite.
  [16, (text) => (text === "t" ? 1 : 0)],
  [17, (text) => new Uint8Array(Buffer.from(text.slice(2), "hex"))],
  // int8, int2, int4, oid, float4, float8, numeric: none of ours is larger than 2^53.
  ...[20, 21, 23, 26, 700, 701, 1700].map((oid): [number, Parser] => [oid, Number]),
]);

/** By the number of the type, for our own connections alone: `pg` keeps its own table for everybody else. */
export function parserOf(typeId: number): Parser {
  return parsers.get(typeId) ?? asText;
}
