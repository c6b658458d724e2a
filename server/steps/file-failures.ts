import { AppError } from "../lib/errors.ts";
import { permanentFailure } from "./step-failure.ts";

export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

/** Not permanent: another run may be about to write it. */
export function notThere(path: string): AppError {
  return new AppError("file_not_found", `There is no file or folder "${path}" in your folder.`);
}

export function isFolder(path: string): AppError {
  return permanentFailure("is_a_folder", `"${path}" is a folder, and this action needs a file.`);
}

/** What the system says, in words that help; its own message would show where the folder lies on the disk. */
export function toFileFailure(error: unknown, path: string): unknown {
  if (error instanceof AppError) return error;
  switch (codeOf(error)) {
    case "ENOENT":
      return notThere(path);
    case "EISDIR":
      return isFolder(path);
    case "ELOOP":
      return permanentFailure(
        "path_outside_folder",
        `"${path}" is a link; a file step reaches only files in your own folder.`,
      );
    case "ENAMETOOLONG":
      return permanentFailure("invalid_path", `The path "${path.slice(0, 80)}…" is too long.`);
    case "ENOSPC":
    case "EDQUOT":
      return new AppError("disk_full", "The disk of the service is full; free some space and try again.", {
        retryable: true,
        cause: error,
      });
    case "":
      return error;
    default:
      return new AppError("file_failed", `The file "${path}" could not be reached (${codeOf(error)}).`, {
        cause: error,
      });
  }
}
