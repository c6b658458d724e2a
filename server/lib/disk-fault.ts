import { AppError, messageOf } from "./errors.ts";

const SYSTEM_CODES = new Set(["ENOSPC", "EIO", "EDQUOT", "EFBIG"]);

/**
 * A full or failing disk becomes a retryable error: the response is 503, and the work is retried later. Any other error
 * is returned unchanged. SQLite's message is matched because one of the two bindings gives no error number for a
 * prepared statement.
 */
export function asDiskFault(error: unknown): unknown {
  const diskAtFault =
    SYSTEM_CODES.has((error as NodeJS.ErrnoException).code ?? "") ||
    /database or disk is full|disk I\/O error/.test(messageOf(error));
  if (!diskAtFault) return error;
  return new AppError(
    "storage_unavailable",
    "The disk is full or failing; nothing was stored. Free some space and try again.",
    {
      retryable: true,
      cause: error,
    },
  );
}
