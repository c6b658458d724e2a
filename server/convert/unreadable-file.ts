import { AppError } from "../lib/errors.ts";

/** The library for XML lists every open element: two million of them are a message of ten megabytes. */
const MAX_REASON_LENGTH = 300;

/** The content is broken, too large for its limits, or not of the format that the step reads. */
export function unreadableFile(reason: string, cause?: unknown): AppError {
  const shown = reason.slice(0, MAX_REASON_LENGTH);
  // A cause has the whole reason, too, and would be copied to the main thread with it.
  const options = shown === reason ? { cause } : {};
  return new AppError("unreadable_file", `The file could not be read: ${shown}.`, options);
}

export function cannotWrite(reason: string): AppError {
  return new AppError("invalid_field", `The field "input" ${reason.slice(0, MAX_REASON_LENGTH)}.`);
}
