import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { toBinaryValue } from "../../steps/binary-value.ts";
import type { PartedWork } from "../../lib/in-turns.ts";
import { endOfString, parseJsonInParts } from "../../lib/parted-json.ts";
import { exactInteger, floatValue } from "./sql-values.ts";
import { type CheckCount, type PartedParse, UnparsedCell } from "./unparsed-cell.ts";

type Parse = (text: string) => JsonValue;

/** No number or time of PostgreSQL is as long; reading one of megabytes takes tens of milliseconds. */
const MAX_SCALAR = 1000;
const BYTEA = 17;
const JSON_TYPES: ReadonlySet<number> = new Set([114, 3802]);
/** Characters of a list that are parsed in one turn. */
const PART_LENGTH = 32 * 1024;

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
  700: floatValue,
  701: floatValue,
  1114: (text) => text.replace(" ", "T"),
  1184: toUtc,
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

/** Parses a value, or keeps a list or JSON as an `UnparsedCell`. */
export function typeParserOf(oid: number): (text: string) => JsonValue | UnparsedCell {
  const element = ARRAYS[oid];
  if (element === undefined && !JSON_TYPES.has(oid)) return scalarParserOf(oid);
  const parse = element === undefined ? jsonInParts : arrayInParts(element);
  return (text) => new UnparsedCell(text, parse);
}

function scalarParserOf(oid: number): Parse {
  const parse = PARSERS[oid];
  if (parse === undefined) return (text) => text;
  return oid === BYTEA ? parse : (text) => (text.length > MAX_SCALAR ? text : parse(text));
}

function* jsonInParts(text: string, checkCount: CheckCount): PartedWork<JsonValue> {
  try {
    return yield* parseJsonInParts(text, { checkCount });
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** `infinity` and years before Christ stay as they are: JavaScript has no such date. */
function toUtc(text: string): string {
  const date = new Date(text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"));
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}

/** `{1,NULL,"a,\"b\"",{2}}`; a prefix with bounds, as in `[0:1]={1,2}`, is ignored. Text that is nested deeper than an array stays text. */
function arrayInParts(element: number): PartedParse {
  const isJson = JSON_TYPES.has(element);
  const parse = scalarParserOf(element);
  return function* (text, checkCount) {
    const first = text.indexOf("{");
    if (first === -1) return text;
    const items: JsonValue[] = [];
    const open = [items];
    let values = 1;
    let readTo = PART_LENGTH;
    for (let at = first + 1; at < text.length && open.length > 0;) {
      if (at > readTo) {
        readTo = at + PART_LENGTH;
        yield;
      }
      const char = text[at];
      if (char === "}" || char === ",") {
        if (char === "}") open.pop();
        at++;
        continue;
      }
      const list = open.at(-1)!;
      checkCount(++values);
      if (char === "{") {
        if (open.length === MAX_DIMENSIONS) return text;
        const inner: JsonValue[] = [];
        list.push(inner);
        open.push(inner);
        at++;
        continue;
      }
      const isQuoted = char === '"';
      let end = isQuoted ? endOfString(text, at) : at;
      while (!isQuoted && end < text.length && text[end] !== "," && text[end] !== "}")
        if (++end % PART_LENGTH === 0) yield;
      const item = isQuoted ? yield* unescaped(text, at + 1, end) : text.slice(at, end);
      at = isQuoted ? end + 1 : end;
      if (!isQuoted && item === "NULL") list.push(null);
      else if (!isJson) list.push(parse(item));
      else {
        const before = values - 1;
        list.push(yield* jsonInParts(item, (within) => checkCount((values = before + within))));
      }
    }
    return items;
  };
}

/** The text from `start` to `end` without its backslashes, in parts that do not end between one and its character. */
function* unescaped(text: string, start: number, end: number): PartedWork<string> {
  const parts: string[] = [];
  for (let from = start; from < end;) {
    let to = Math.min(end, from + PART_LENGTH);
    if (to < end && text[to - 1] === "\\") {
      let backslashes = 1;
      while (to - 1 - backslashes >= from && text[to - 1 - backslashes] === "\\") backslashes += 1;
      if (backslashes % 2 === 1) to += 1;
    }
    parts.push(text.slice(from, to).replace(/\\(.)/gs, "$1"));
    if (to < end) yield;
    from = to;
  }
  return parts.join("");
}
