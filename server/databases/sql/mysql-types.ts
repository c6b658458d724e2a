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
      // The session's time zone is UTC. 0000-00-00 is not a date.
      return String(value).startsWith("0000") ? value : new Date(`${String(value)}Z`).toISOString();
    case "BIT":
      return Buffer.isBuffer(value) ? bitsOf(value) : value;
    case "FLOAT":
    case "DOUBLE":
      return floatValue(value as number);
    default:
      return Buffer.isBuffer(value) ? toBinaryValue(value) : value;
  }
}

function bitsOf(bytes: Buffer): number | string {
  const bits = BigInt(`0x${bytes.toString("hex") || "0"}`);
  return bits <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(bits) : String(bits);
}
