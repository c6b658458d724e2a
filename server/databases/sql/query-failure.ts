import { AppError, messageOf } from "../../lib/errors.ts";

const MAX_MESSAGE = 500;

/** The text of the database, which names tables, columns and the position of the mistake. */
export function queryFailure(error: unknown, code: string | undefined, retryable: boolean): AppError {
  const text = messageOf(error).replace(/\s+/g, " ").trim().slice(0, MAX_MESSAGE);
  return new AppError(
    "query_failed",
    `The database refused the query: ${text}${code ? ` (${code})` : ""}${/[.!?]$/.test(text) && !code ? "" : "."}`,
    { retryable, permanent: !retryable, cause: error },
  );
}

/** Replaced by a message that names the connection, which the driver does not know. */
export function loginRefused(host: string, cause: unknown): AppError {
  return new AppError("connection_authorization_required", `${host} refused the login.`, { cause });
}
