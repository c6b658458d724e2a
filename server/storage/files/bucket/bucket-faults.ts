import { AppError, messageOf } from "../../../lib/errors.ts";
import { appErrorWithin } from "../../../security/outbound-errors.ts";
import type { BucketSettings } from "./bucket-settings.ts";

/** An error response of the bucket: its status and, if given, the S3 error code. */
export class BucketErrorResponse extends Error {
  readonly status: number;
  readonly reason: string;

  constructor(status: number, reason: string) {
    super(`The bucket responded ${status} ${reason}`.trim());
    this.status = status;
    this.reason = reason;
  }
}

/** `SlowDown` arrives as 503, an overloaded server as 429; both are worth a retry. */
export function isTransient(error: unknown): boolean {
  if (error instanceof BucketErrorResponse)
    return error.status >= 500 || error.status === 429 || error.reason === "RequestTimeout";
  // Any other error comes from the connection, unless the egress guard refused it.
  return appErrorWithin(error) === undefined;
}

/** Maps an error to an AppError that never contains a key or a signature. */
export function toBucketFault(error: unknown, { endpoint, bucket }: BucketSettings): AppError {
  const known = appErrorWithin(error);
  if (known !== undefined) return known;
  const place = `the bucket "${bucket}" at ${new URL(endpoint).host}`;
  if (!(error instanceof BucketErrorResponse) || isTransient(error))
    return new AppError(
      "storage_unavailable",
      `Files are not available: ${place} does not respond (${codeOf(error)}).`,
      { retryable: true, cause: error },
    );
  if (error.reason === "RequestTimeTooSkewed")
    return refused(
      `The clock of this machine differs too much from the clock of ${place}. Synchronize it.`,
      error,
    );
  if (error.reason === "NoSuchBucket" || error.status === 404)
    return refused(`There is no bucket "${bucket}" at ${new URL(endpoint).host}. Check S3_BUCKET.`, error);
  if (error.status === 401 || error.status === 403)
    return refused(
      `Access to ${place} was denied (${error.reason || error.status}). Check S3_ACCESS_KEY_ID, its secret, S3_REGION and its permissions.`,
      error,
    );
  return refused(`A file operation was refused by ${place} (${error.message}).`, error);
}

function refused(message: string, cause: Error): AppError {
  return new AppError("file_store_refused", message, { cause });
}

function codeOf(error: unknown): string {
  if (error instanceof BucketErrorResponse) return String(error.status);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : messageOf(error);
}
