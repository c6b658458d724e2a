import { asDiskFault } from "../../lib/disk-fault.ts";
import { AppError } from "../../lib/errors.ts";
import { isFolder, missingFile, outsideFolder, pathTooLong } from "../../lib/file-store.ts";

export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

/** What the system says, in words that help; its own message would show where the folder lies on the disk. */
export function toFileFault(error: unknown, key: string): unknown {
  const fault = asDiskFault(error);
  if (fault instanceof AppError) return fault;
  switch (codeOf(error)) {
    case "ENOENT":
      return missingFile(key);
    case "EISDIR":
      return isFolder(key);
    case "ELOOP":
      return linkOnTheWay();
    case "ENAMETOOLONG":
      return pathTooLong(key);
    case "":
      return error;
    default:
      return new AppError("file_failed", `The file "${key}" could not be reached (${codeOf(error)}).`, {
        cause: error,
      });
  }
}

export function linkOnTheWay(): AppError {
  return outsideFolder("leads over a link");
}
