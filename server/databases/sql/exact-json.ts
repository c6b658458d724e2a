import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { PartedWork } from "../../lib/in-turns.ts";
import { findEndOfString, parseJsonInParts, simpleEndOfString } from "../../lib/parted-json.ts";
import type { CheckCount } from "./unparsed-cell.ts";

const PART_LENGTH = 256 * 1024;
/** A number that begins at the end of a part is found in that part. */
const OVERLAP = 20;
/** Integers with fewer digits are exact, and numbers with fewer digits and a shorter exponent are finite. */
const MAY_BE_INEXACT = /\d{16}|\d[eE]\+?\d{3}/;
const QUOTE_OR_NUMBER = /"|-?\d[\d.eE+-]*/g;
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
/** As in `1e400`. */
const MIN_INEXACT = 5;
/** Longer than every finite number that is not an integer. */
const MAX_NUMBER_LENGTH = 2000;

/** JSON of a database. An integer that a number cannot hold is text, as in other columns. */
export function* exactJsonInParts(text: string, checkCount: CheckCount): PartedWork<JsonValue> {
  const exact = (yield* mayBeInexact(text)) ? yield* quoteInexactNumbers(text) : text;
  return yield* parseJsonInParts(exact, { checkCount });
}

function* mayBeInexact(text: string): PartedWork<boolean> {
  for (let at = 0; at < text.length; at += PART_LENGTH) {
    if (MAY_BE_INEXACT.test(text.slice(at, at + PART_LENGTH + OVERLAP))) return true;
    yield;
  }
  return false;
}

function* quoteInexactNumbers(text: string): PartedWork<string> {
  const parts: string[] = [];
  const next = new RegExp(QUOTE_OR_NUMBER);
  let from = 0;
  let readTo = PART_LENGTH;
  for (let found = next.exec(text); found !== null; found = next.exec(text)) {
    const [token] = found;
    if (token === '"')
      next.lastIndex =
        1 + (simpleEndOfString(text, found.index) ?? (yield* findEndOfString(text, found.index)));
    else if (isInexact(token)) {
      parts.push(text.slice(from, found.index), '"', token, '"');
      from = next.lastIndex;
    }
    if (next.lastIndex < readTo) continue;
    readTo = next.lastIndex + PART_LENGTH;
    yield;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

function isInexact(token: string): boolean {
  if (token.length < MIN_INEXACT || !NUMBER.test(token)) return false;
  if (token.length > MAX_NUMBER_LENGTH) return true;
  const value = Number(token);
  return /^-?\d+$/.test(token) ? !Number.isSafeInteger(value) : !Number.isFinite(value);
}
