import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { binaryValueInParts, toBinaryValue } from "../../steps/binary-value.ts";
import { exactJsonInParts } from "./exact-json.ts";
import { geometryInParts } from "./mysql-geometry.ts";
import { floatValue, singleValue, utcMoment } from "./sql-values.ts";
import { UnparsedCell } from "./unparsed-cell.ts";

/** More bytes are encoded in turns. */
const LARGE_BYTES = 64 * 1024;

export interface MySqlField {
  type: string;
  extendedFormat?: string;
  buffer(): Buffer | null;
}

/** Every value of a row as JSON, but one that may be large as an `UnparsedCell`. `next` reads it as the driver would. */
export function mysqlValue(field: MySqlField, next: () => unknown): unknown {
  const { type, extendedFormat } = field;
  // The driver's objects of points and lists lose the type.
  const value = type === "GEOMETRY" ? field.buffer() : next();
  if (value === null || value === undefined) return null;
  // MariaDB sends JSON as long text with a note of its format.
  if (typeof value === "string" && (type === "JSON" || extendedFormat === "json"))
    return new UnparsedCell((checkCount) => exactJsonInParts(value, checkCount));
  switch (type) {
    case "DATETIME":
      return String(value).replace(" ", "T");
    case "TIMESTAMP":
      return toUtc(String(value));
    case "BIT":
      return Buffer.isBuffer(value) ? bitsOf(value) : value;
    case "FLOAT":
      return singleValue(value as number);
    case "DOUBLE":
      return floatValue(value as number);
    case "VECTOR":
      return Array.isArray(value) ? value.map((item: number) => singleValue(item)) : value;
    case "GEOMETRY":
      return new UnparsedCell((checkCount) => geometryInParts(value as Buffer, checkCount));
    default:
      return Buffer.isBuffer(value) ? bytesValue(value) : value;
  }
}

function bytesValue(bytes: Buffer): JsonValue | UnparsedCell {
  return bytes.length > LARGE_BYTES
    ? new UnparsedCell(() => binaryValueInParts(bytes))
    : toBinaryValue(bytes);
}

/** The session's time zone is UTC. 0000-00-00 is not a date and stays text. */
function toUtc(text: string): string {
  return text.startsWith("0000") ? text : (utcMoment(text.replace(" ", "T")) ?? text);
}

function bitsOf(bytes: Buffer): number | string {
  const bits = BigInt(`0x${bytes.toString("hex") || "0"}`);
  return bits <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(bits) : String(bits);
}
