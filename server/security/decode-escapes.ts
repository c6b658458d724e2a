import type { PartedWork } from "../lib/in-turns.ts";

export interface DecodedText {
  text: string;
  /** For each character of the decoded text and for its end: where it begins in the source. */
  starts: Uint32Array;
}

/** A code point and the length of its escape in one number: the scan of a megabyte allocates no objects. */
const LENGTH_UNIT = 0x20_0000;
const MAX_CODE_POINT = 0x10_ffff;
const PERCENT = 0x25;
const BACKSLASH = 0x5c;
const AMPERSAND = 0x26;
const NUMBER_SIGN = 0x23;
const LETTER_X = 0x78;
const LOWER_CASE = 0x20;
const MAX_DIGITS = 8;

const AFTER_BACKSLASH: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
const REFERENCES: Record<string, string> = {
  "amp;": "&",
  "AMP;": "&",
  "lt;": "<",
  "LT;": "<",
  "gt;": ">",
  "GT;": ">",
  "quot;": '"',
  "QUOT;": '"',
  "apos;": "'",
};
const NAMES = Object.keys(REFERENCES);

interface Decoding {
  units: Uint16Array;
  starts: Uint32Array;
  length: number;
  at: number;
}

const DECODED_AT_ONCE = 64 * 1024;

/**
 * Decodes once: percent-encoding, the escapes of JSON and JavaScript, and HTML character references. Bytes (`%C3`,
 * `\xC3`) become the characters 0 to 255. Undefined if the text has no escape.
 */
export function decodeEscapes(source: string): DecodedText | undefined {
  const decoding = beginDecoding(source);
  if (decoding === undefined) return undefined;
  decodeUntil(source, source.length, decoding);
  return endDecoding(source, decoding);
}

export function* decodeEscapesInParts(source: string): PartedWork<DecodedText | undefined> {
  const decoding = beginDecoding(source);
  if (decoding === undefined) return undefined;
  while (decoding.at < source.length) {
    decodeUntil(source, Math.min(source.length, decoding.at + DECODED_AT_ONCE), decoding);
    yield;
  }
  return endDecoding(source, decoding);
}

function beginDecoding(source: string): Decoding | undefined {
  if (!/[%\\&]/.test(source)) return undefined;
  return {
    units: new Uint16Array(source.length),
    starts: new Uint32Array(source.length + 1),
    length: 0,
    at: 0,
  };
}

function endDecoding(source: string, { units, starts, length }: Decoding): DecodedText | undefined {
  if (length === source.length) return undefined;
  starts[length] = source.length;
  return { text: Buffer.from(units.buffer, 0, length * 2).toString("utf16le"), starts };
}

function decodeUntil(source: string, end: number, decoding: Decoding): void {
  const { units, starts } = decoding;
  let { length, at } = decoding;
  while (at < end) {
    const code = source.charCodeAt(at);
    starts[length] = at;
    const mayEscape = code === PERCENT || code === BACKSLASH || code === AMPERSAND;
    const escape = mayEscape ? readEscape(source, at, code) : 0;
    if (escape === 0) {
      units[length++] = code;
      at += 1;
      continue;
    }
    const point = escape % LENGTH_UNIT;
    if (point > 0xffff) {
      // A surrogate pair; its escape is longer than two characters, so the arrays have room.
      units[length++] = 0xd800 + ((point - 0x1_0000) >> 10);
      starts[length] = at;
      units[length++] = 0xdc00 + ((point - 0x1_0000) & 0x3ff);
    } else units[length++] = point;
    at += Math.floor(escape / LENGTH_UNIT);
  }
  decoding.length = length;
  decoding.at = at;
}

/** Zero when no escape begins at this position. */
function readEscape(source: string, at: number, code: number): number {
  if (code === PERCENT) return escapeOf(hexAt(source, at + 1, 2), 3);
  if (code === AMPERSAND) return readReference(source, at);
  const kind = source[at + 1] ?? "";
  if (kind === "x") return escapeOf(hexAt(source, at + 2, 2), 4);
  if (kind === "u") {
    if (source[at + 2] !== "{") return escapeOf(hexAt(source, at + 2, 4), 6);
    const end = source.slice(at, at + 10).indexOf("}");
    return end < 4 ? 0 : escapeOf(hexAt(source, at + 3, end - 3), end + 1);
  }
  if (kind === "\\" || kind === '"' || kind === "/" || kind === "'") return escapeOf(kind.charCodeAt(0), 2);
  const control = AFTER_BACKSLASH[kind];
  return control === undefined ? 0 : escapeOf(control.charCodeAt(0), 2);
}

function readReference(source: string, at: number): number {
  if (source.charCodeAt(at + 1) === NUMBER_SIGN) return readNumber(source, at);
  const name = NAMES.find((each) => source.startsWith(each, at + 1));
  return name === undefined ? 0 : escapeOf((REFERENCES[name] ?? "").charCodeAt(0), name.length + 1);
}

/** `&#39;` or `&#x27;`; browsers do not need the semicolon. */
function readNumber(source: string, at: number): number {
  const isHex = (source.charCodeAt(at + 2) | LOWER_CASE) === LETTER_X;
  const first = at + (isHex ? 3 : 2);
  const base = isHex ? 16 : 10;
  let value = 0;
  let end = first;
  for (; end < first + MAX_DIGITS; end++) {
    const digit = hexDigit(source.charCodeAt(end));
    if (digit < 0 || digit >= base) break;
    value = value * base + digit;
  }
  if (end === first) return 0;
  return escapeOf(value, end - at + (source[end] === ";" ? 1 : 0));
}

function escapeOf(point: number, length: number): number {
  return point < 0 || point > MAX_CODE_POINT ? 0 : length * LENGTH_UNIT + point;
}

/** Minus one unless all of these characters are hexadecimal digits. */
function hexAt(source: string, at: number, count: number): number {
  let value = 0;
  for (let i = at; i < at + count; i++) {
    const digit = hexDigit(source.charCodeAt(i));
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** NaN, which is the code past the end, is not a digit. */
function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
