import { AppError } from "../lib/errors.ts";

/** The content is broken, too large for its limits, or not of the format that the step reads. */
export function unreadableFile(reason: string, cause?: unknown): AppError {
  return new AppError("unreadable_file", `The file could not be read: ${reason}.`, { cause });
}

export function cannotWrite(reason: string): AppError {
  return new AppError("invalid_field", `The field "input" ${reason}.`);
}
