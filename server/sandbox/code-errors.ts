import { AppError } from "../lib/errors.ts";
import { limitReached, outputTooLarge } from "../limits/limit-reached.ts";

/** In the source as the user wrote it, from 1. */
export interface CodePosition {
  line?: number;
  column?: number;
}

/** An error that the code threw. A page marks its line in the source. */
export function codeError(
  code: "code_failed" | "expression_failed",
  message: string,
  { line, column }: CodePosition = {},
): AppError {
  const where = line === undefined ? "" : ` (line ${line}, column ${column ?? 1})`;
  return new AppError(code, `${message.replace(/\.$/, "")}${where}.`, {
    ...(line !== undefined && { stepExtra: { details: { line, column: column ?? 1 } } }),
  });
}

export function timeOver(timeoutMs: number): AppError {
  return limitReached("code_time", `The code took longer than ${timeoutMs} ms and was stopped.`);
}

export function memoryFull(memoryMb: number): AppError {
  return limitReached("code_memory", `The code needs more than ${memoryMb} MB of memory and was stopped.`);
}

export function tooLarge(fact: string): AppError {
  return outputTooLarge("value_bytes", `${fact}, which is too large.`);
}
