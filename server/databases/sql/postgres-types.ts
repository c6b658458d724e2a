import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { binaryValueInParts, toBinaryValue } from "../../steps/binary-value.ts";
import type { PartedWork } from "../../lib/in-turns.ts";
import { findEndOfString, simpleEndOfString } from "../../lib/parted-json.ts";
import { exactJsonInParts } from "./exact-json.ts";
import { exactInteger, floatValue, utcMoment } from "./sql-values.ts";
import { type CheckCount, UnparsedCell } from "./unparsed-cell.ts";

type Parse = (text: string) => JsonValue;

/** No number or time of PostgreSQL is as long; reading one of megabytes takes tens of milliseconds. */
const MAX_SCALAR = 1000;
const BYTEA = 17;
/** Longer bytes are decoded in turns. */
const LARGE_BYTEA = 128 * 1024;
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

/**
 * Array types with the type of their elements. The elements of those that have no parser are text. `box[]` is missing: its
 * elements have semicolons between them.
 */
const ARRAYS: Readonly<Record<number, number>> = {
  143: 142,
  199: 114,
  629: 628,
  651: 650,
  719: 718,
  775: 774,
  791: 790,
  1000: 16,
  1001: 17,
  1002: 18,
  1003: 19,
  1005: 21,
  1007: 23,
  1009: 25,
  1014: 1042,
  1015: 1043,
  1016: 20,
  1017: 600,
  1018: 601,
  1019: 602,
  1021: 700,
  1022: 701,
  1027: 604,
  1028: 26,
  1040: 829,
  1041: 869,
  1115: 1114,
  1182: 1082,
  1183: 1083,
  1187: 1186,
  1231: 1700,
  1270: 1266,
  1561: 1560,
  1563: 1562,
  2951: 2950,
  3643: 3614,
  3645: 3615,
  3807: 3802,
  3905: 3904,
  3907: 3906,
  3909: 3908,
  3911: 3910,
  3913: 3912,
  3927: 3926,
  4073: 4072,
  6150: 4451,
  6151: 4532,
  6152: 4533,
  6153: 4534,
  6155: 4535,
  6157: 4536,
};

/** The array types of a database's own types, such as enums and domains, by OID, with the type of their elements. */
export type OwnArrays = ReadonlyMap<number, number>;

const NO_ARRAYS: OwnArrays = new Map();

/** Parses a value, or keeps one that may be large as an `UnparsedCell`. */
export function typeParserOf(
  oid: number,
  ownArrays: OwnArrays = NO_ARRAYS,
): (text: string) => JsonValue | UnparsedCell {
  const element = ARRAYS[oid] ?? ownArrays.get(oid);
  if (element !== undefined)
    return (text) => new UnparsedCell((checkCount) => arrayInParts(text, element, checkCount));
  if (JSON_TYPES.has(oid)) return (text) => new UnparsedCell((checkCount) => jsonInParts(text, checkCount));
  const parse = scalarParserOf(oid);
  if (oid !== BYTEA) return parse;
  return (text) => (text.length > LARGE_BYTEA ? new UnparsedCell(() => byteaInParts(text)) : parse(text));
}

/** `\x` and the bytes in hexadecimal digits. */
function* byteaInParts(text: string): PartedWork<JsonValue> {
  const bytes = Buffer.allocUnsafe(text.length >> 1);
  let end = 0;
  for (let from = 2; from < text.length; from += PART_LENGTH) {
    end += bytes.write(text.slice(from, from + PART_LENGTH), end, "hex");
    yield;
  }
  return yield* binaryValueInParts(bytes.subarray(0, end));
}

function scalarParserOf(oid: number): Parse {
  const parse = PARSERS[oid];
  if (parse === undefined) return (text) => text;
  return oid === BYTEA ? parse : (text) => (text.length > MAX_SCALAR ? text : parse(text));
}

function* jsonInParts(text: string, checkCount: CheckCount): PartedWork<JsonValue> {
  try {
    return yield* exactJsonInParts(text, checkCount);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Zones of the nineteenth century have seconds. */
const MOMENT = /^(\d{4}-\d\d-\d\d) ([\d:.]+)([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/;

/** `infinity` and years before Christ stay as they are: JavaScript has no such date. */
function toUtc(text: string): string {
  const match = MOMENT.exec(text);
  if (match === null) return text;
  const [, day, time, sign, ...offset] = match;
  const [hours = 0, minutes = 0, seconds = 0] = offset.map((part) => Number(part ?? 0));
  const east = (hours * 60 + minutes) * 60 + seconds;
  return utcMoment(`${day}T${time}`, sign === "-" ? -east : east) ?? text;
}

/** `{1,NULL,"a,\"b\"",{2}}`; a prefix with bounds, as in `[0:1]={1,2}`, is ignored. Text that is nested deeper than an array stays text. */
function* arrayInParts(text: string, element: number, checkCount: CheckCount): PartedWork<JsonValue> {
  const isJson = JSON_TYPES.has(element);
  const parse = scalarParserOf(element);
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
    let end = isQuoted ? (simpleEndOfString(text, at) ?? (yield* findEndOfString(text, at))) : at;
    while (!isQuoted && end < text.length && text[end] !== "," && text[end] !== "}")
      if (++end % PART_LENGTH === 0) yield;
    const item = isQuoted ? yield* unescaped(text, at + 1, end) : text.slice(at, end);
    at = isQuoted ? end + 1 : end;
    if (!isQuoted && item === "NULL") list.push(null);
    else if (element === BYTEA && item.length > LARGE_BYTEA) list.push(yield* byteaInParts(item));
    else if (!isJson) list.push(parse(item));
    else {
      const before = values - 1;
      list.push(yield* jsonInParts(item, (within) => checkCount((values = before + within))));
    }
  }
  return items;
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
