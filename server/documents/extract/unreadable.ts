import { AppError } from "../../lib/errors.ts";

export function unreadable(reason: string, cause?: unknown): AppError {
  return new AppError("unreadable_document", `The file could not be read: ${reason}.`, { cause });
}
