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
