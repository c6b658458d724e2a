import { asDiskFault } from "../../lib/disk-fault.ts";
import { AppError } from "../../lib/errors.ts";
import { isFolder, missingFile, outsideFolder, pathTooLong } from "../../lib/file-store.ts";

export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

/** Maps a file system error to an AppError. The original message would expose the path on disk. */
export function toFileFault(error: unknown, key: string): unknown {
  const fault = asDiskFault(error);
  if (fault instanceof AppError) return fault;
  switch (codeOf(error)) {
    case "ENOENT":
      return missingFile(key);
    case "EISDIR":
      return isFolder(key);
    case "ELOOP":
      return symbolicLink();
    case "ENAMETOOLONG":
      return pathTooLong(key);
    case "":
      return error;
    default:
      return new AppError("file_failed", `The file "${key}" could not be accessed (${codeOf(error)}).`, {
        cause: error,
      });
  }
}

export function symbolicLink(): AppError {
  return outsideFolder("contains a symbolic link");
}
