import { AppError } from "../lib/errors.ts";

/**
 * An unavailable file store fails this step, which may be retried by its own rules. With the code `storage_unavailable`
 * the engine would treat it as a fault of the journal and suspend the whole run.
 */
export function toFileFailure(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "storage_unavailable") return error;
  return new AppError("file_store_unavailable", error.message, { retryable: true, cause: error });
}
