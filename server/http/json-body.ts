import { isUtf8 } from "node:buffer";
import { AppError } from "../lib/errors.ts";
import { inTurns, ownTurn } from "../lib/in-turns.ts";
import {
  type JsonFault,
  LARGE_TEXT,
  MAX_DEPTH,
  readJson,
  type ReadJson,
  readJsonInParts,
} from "../lib/untrusted-json.ts";

const MESSAGES: Readonly<Record<JsonFault, string>> = {
  syntax:
    "The body is not valid JSON. Put names and text in double quotes, and no comma before a closing brace or bracket.",
  depth: `The JSON is nested more than ${MAX_DEPTH} levels deep.`,
  proto: "The JSON has a key named __proto__, which is not allowed.",
  number: "The JSON has a number that is too large. Send it as text.",
};

/** Undefined for a blank body. Throws `invalid_json`. */
export function parseJsonBytes(bytes: Buffer): unknown {
  return parseJsonBody(textOf(bytes));
}

export async function parseAnyJsonBytes(bytes: Buffer): Promise<unknown> {
  return isLargeBody(bytes) ? parseLargeJsonBytes(bytes) : parseJsonBytes(bytes);
}

export function isLargeBody(bytes: Buffer): boolean {
  return bytes.length > LARGE_TEXT;
}

/** The same in turns of the event loop: two megabytes of `[]` take 0.1 s at once. */
export async function parseLargeJsonBytes(bytes: Buffer): Promise<unknown> {
  const text = textOf(bytes);
  await ownTurn();
  return isBlank(text) ? undefined : valueOf(await inTurns(readJsonInParts(text)));
}

export function parseJsonBody(text: string): unknown {
  return isBlank(text) ? undefined : valueOf(readJson(text));
}

function valueOf(read: ReadJson): unknown {
  if ("value" in read) return read.value;
  throw new AppError("invalid_json", MESSAGES[read.fault]);
}

/**
 * Rejects invalid UTF-8: decoding would silently put replacement characters into the data. The byte order mark that
 * programs of Windows write is not part of the text.
 */
function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes))
    throw new AppError("invalid_json", "The body is not UTF-8. Send JSON in UTF-8, without compression.");
  return bytes.toString("utf8", hasMark(bytes) ? 3 : 0);
}

function hasMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}
