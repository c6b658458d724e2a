import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { toBinaryValue } from "../../steps/binary-value.ts";
import type { PartedWork } from "../../lib/in-turns.ts";
import { parseJsonInParts } from "../../lib/parted-json.ts";
import { floatValue } from "./sql-values.ts";
import { type CheckCount, UnparsedCell } from "./unparsed-cell.ts";

/** Numbers with fewer digits are exact. */
const UNSAFE_NUMBER = /\d{16}/;

/** Every value of a row as JSON, but JSON itself as an `UnparsedCell`. `next` reads it as the driver would. */
export function mysqlValue(
  { type, extendedFormat }: { type: string; extendedFormat?: string },
  next: () => unknown,
): unknown {
  const value = next();
  if (value === null || value === undefined) return null;
  // MariaDB sends JSON as long text with a note of its format.
  if (typeof value === "string" && (type === "JSON" || extendedFormat === "json"))
    return new UnparsedCell(value, jsonInParts);
  switch (type) {
    case "DATETIME":
      return String(value).replace(" ", "T");
    case "TIMESTAMP":
      return toUtc(String(value));
    case "BIT":
      return Buffer.isBuffer(value) ? bitsOf(value) : value;
    case "FLOAT":
    case "DOUBLE":
      return floatValue(value as number);
    default:
      return Buffer.isBuffer(value) ? toBinaryValue(value) : value;
  }
}

function jsonInParts(text: string, checkCount: CheckCount): PartedWork<JsonValue> {
  return parseJsonInParts(text, { checkCount, reviver: UNSAFE_NUMBER.test(text) ? exactNumber : undefined });
}

/** Since Node 22 the reviver receives the digits: an integer that a number cannot hold is text, as in other columns. */
function exactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  const isInexact = typeof value === "number" && !Number.isSafeInteger(value);
  return isInexact && source !== undefined && /^-?\d+$/.test(source) ? source : value;
}

/** The session's time zone is UTC. 0000-00-00 is not a date and stays text. */
function toUtc(text: string): string {
  const date = new Date(`${text}Z`);
  return text.startsWith("0000") || Number.isNaN(date.getTime()) ? text : date.toISOString();
}

function bitsOf(bytes: Buffer): number | string {
  const bits = BigInt(`0x${bytes.toString("hex") || "0"}`);
  return bits <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(bits) : String(bits);
}
