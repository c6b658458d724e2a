import { messageOf } from "./errors.ts";

interface SystemError {
  code?: string;
  path?: string;
  dest?: string;
  /** The result code of SQLite; the lower byte is its kind. */
  errcode?: number;
}

const ADVICE: Record<string, string> = {
  EACCES:
    "cannot be used: permission denied. Run Baton as a user with access to it, or choose another folder.",
  EPERM:
    "cannot be used: permission denied. Run Baton as a user with access to it, or choose another folder.",
  EROFS: "is on a read-only file system. Choose another folder.",
  ENOSPC: "cannot be written: the disk is full. Free space, or choose a folder on a larger disk.",
  EDQUOT: "cannot be written: the quota is used up. Free space, or choose a folder on another disk.",
  EIO: "cannot be read or written: the disk reports an error. Check the disk, and restore a backup if data is lost.",
  EISDIR: "is a folder where a file is expected. Choose another path.",
  ENOTDIR: "has a file where a folder is expected. Choose another path.",
  EEXIST: "is a file where a folder is expected. Choose another path.",
};

const SQLITE_ADVICE: Record<number, string> = {
  8: "cannot be written: the file is read-only. Run Baton as a user with access to the data folder.",
  10: "cannot be read or written: the disk reports an error. Check the disk, and restore a backup if data is lost.",
  11: "is damaged. Restore the last backup, or salvage it with the sqlite3 command `.recover`.",
  13: "cannot be written: the disk is full. Free space, or choose a folder on a larger disk.",
  14: "cannot be opened. Check that the folder exists and that Baton may write to it.",
  26: "is not a database file. Check DATA_DIR, or restore the last backup.",
};

/** A sentence for the operator about a refused file, disk or database file. Undefined for errors that are not about one. */
export function explainSystemError(error: unknown): string | undefined {
  const { code = "", path, dest, errcode } = (error ?? {}) as SystemError;
  if (code === "EMFILE" || code === "ENFILE")
    return "Too many files are open. Raise the limit of open files (ulimit -n, or LimitNOFILE of systemd).";
  if (code === "ERR_SQLITE_ERROR" && errcode !== undefined) {
    const advice = SQLITE_ADVICE[errcode & 0xff];
    return advice && `The database ${advice} (SQLite: ${messageOf(error)}.)`;
  }
  const file = dest ?? path;
  const advice = ADVICE[code];
  return file === undefined || advice === undefined ? undefined : `${file} ${advice} (${code})`;
}
