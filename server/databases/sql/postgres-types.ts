import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { toBinaryValue } from "../../steps/binary-value.ts";
import { exactInteger, floatValue } from "./sql-values.ts";

type Parse = (text: string) => JsonValue;

/** PostgreSQL's own limit on the dimensions of an array. */
const MAX_DIMENSIONS = 6;

/**
 * By the OIDs of `pg_type`, which never change. Every other type is text as PostgreSQL writes it, and so is a value that is
 * not of its type: a hostile server can send anything.
 */
const PARSERS: Readonly<Record<number, Parse>> = {
  16: (text) => text === "t",
  17: (text) => toBinaryValue(Buffer.from(text.slice(2), "hex")),
  20: exactInteger,
  21: Number,
  23: Number,
  26: Number,
  114: parseJson,
  700: floatValue,
  701: floatValue,
  1114: (text) => text.replace(" ", "T"),
  1184: toUtc,
  3802: parseJson,
};

/** Array types with the type of their elements. */
const ARRAYS: Readonly<Record<number, number>> = {
  199: 114,
  1000: 16,
  1001: 17,
  1005: 21,
  1007: 23,
  1009: 25,
  1014: 1042,
  1015: 1043,
  1016: 20,
  1021: 700,
  1022: 701,
  1028: 26,
  1115: 1114,
  1182: 1082,
  1183: 1083,
  1185: 1184,
  1231: 1700,
  2951: 2950,
  3807: 3802,
};

export function typeParserOf(oid: number): Parse {
  const element = ARRAYS[oid];
  if (element === undefined) return PARSERS[oid] ?? ((text) => text);
  const parse = PARSERS[element] ?? ((text: string) => text);
  return (text) => parseArray(text, parse);
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** `infinity` and years before Christ stay as they are: JavaScript has no such date. */
function toUtc(text: string): string {
  const date = new Date(text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"));
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}

/** `{1,NULL,"a,\"b\"",{2}}`; a prefix with bounds, as in `[0:1]={1,2}`, is ignored. Text that is nested deeper than an array stays text. */
export function parseArray(text: string, parse: Parse): JsonValue {
  let at = text.indexOf("{");
  let isTooDeep = false;
  function list(depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    isTooDeep ||= depth > MAX_DIMENSIONS;
    if (isTooDeep) return items;
    at++;
    while (!isTooDeep && at < text.length && text[at] !== "}") {
      if (text[at] === ",") at++;
      else if (text[at] === "{") items.push(list(depth + 1));
      else items.push(item());
    }
    at++;
    return items;
  }
  function item(): JsonValue {
    if (text[at] !== '"') {
      const start = at;
      while (at < text.length && text[at] !== "," && text[at] !== "}") at++;
      const plain = text.slice(start, at);
      return plain === "NULL" ? null : parse(plain);
    }
    let quoted = "";
    for (at++; at < text.length && text[at] !== '"'; at++) {
      if (text[at] === "\\") at++;
      quoted += text[at];
    }
    at++;
    return parse(quoted);
  }
  const items = at === -1 ? text : list(1);
  return isTooDeep ? text : items;
}
