import { AppError, messageOf } from "./errors.ts";

const SYSTEM_CODES = new Set(["ENOSPC", "EIO", "EDQUOT", "EFBIG"]);

/**
 * A disk that is full or fails is a state that passes: callers answer 503 and take work again later. Anything else
 * comes back as it is. SQLite's words are matched because one of the two bindings gives no number with an error of a
 * prepared statement.
 */
export function asDiskFault(error: unknown): unknown {
  const diskAtFault =
    SYSTEM_CODES.has((error as NodeJS.ErrnoException).code ?? "") ||
    /database or disk is full|disk I\/O error/.test(messageOf(error));
  if (!diskAtFault) return error;
  return new AppError("storage_unavailable", "The disk takes no more data right now; nothing was stored.", {
    retryable: true,
    cause: error,
  });
}
