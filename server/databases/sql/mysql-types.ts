import { toBinaryValue } from "../../steps/binary-value.ts";
import { floatValue } from "./sql-values.ts";

/** Every value of a row as JSON. `next` reads it as the driver would. */
export function mysqlValue({ type }: { type: string }, next: () => unknown): unknown {
  const value = next();
  if (value === null || value === undefined) return null;
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

/** The session's time zone is UTC. 0000-00-00 is not a date and stays text. */
function toUtc(text: string): string {
  const date = new Date(`${text}Z`);
  return text.startsWith("0000") || Number.isNaN(date.getTime()) ? text : date.toISOString();
}

function bitsOf(bytes: Buffer): number | string {
  const bits = BigInt(`0x${bytes.toString("hex") || "0"}`);
  return bits <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(bits) : String(bits);
}
