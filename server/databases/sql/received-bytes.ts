import type { AppError } from "../../lib/errors.ts";
import { outputTooLarge } from "../../limits/limit-reached.ts";
import type { SqlJob } from "./sql-driver.ts";

type ByteLimits = Pick<SqlJob, "maxReceivedBytes" | "maxHeldBytes">;

/** The error for too many bytes in all, or for too many that are in memory because no row is complete. */
export function excessOf({ maxReceivedBytes, maxHeldBytes }: ByteLimits) {
  return (total: number, held: number): AppError | undefined => {
    if (total > maxReceivedBytes) return tooManyBytes(maxReceivedBytes);
    return held > maxHeldBytes ? tooLargeRow(maxHeldBytes) : undefined;
  };
}

export function tooManyBytes(maxBytes: number): AppError {
  return outputTooLarge(
    "value_bytes",
    `The database sent more than ${maxBytes} bytes. Select fewer columns or rows, or use as: file.`,
  );
}

function tooLargeRow(maxBytes: number): AppError {
  return outputTooLarge(
    "value_bytes",
    `The database sent rows that take more than ${maxBytes} bytes of memory. Select fewer or smaller columns.`,
  );
}
