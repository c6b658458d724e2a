import { AppError, messageOf } from "../../../lib/errors.ts";
import { appErrorWithin } from "../../../security/outbound-errors.ts";
import type { BucketSettings } from "./bucket-settings.ts";

/** The bucket's answer when it is no success: a status and S3's own word for the reason, where it gives one. */
export class BucketRefusal extends Error {
  readonly status: number;
  readonly reason: string;

  constructor(status: number, reason: string) {
    super(`The bucket answered ${status} ${reason}`.trim());
    this.status = status;
    this.reason = reason;
  }
}

/** `SlowDown` comes as 503, a server that is too busy as 429: both pass. */
export function passes(error: unknown): boolean {
  if (error instanceof BucketRefusal)
    return error.status >= 500 || error.status === 429 || error.reason === "RequestTimeout";
  // Everything else that was thrown came from the connection, unless our own guard has closed it.
  return appErrorWithin(error) === undefined;
}

/** In the program's own words, and never with a key or a signature in it. */
export function toBucketFault(error: unknown, { endpoint, bucket }: BucketSettings): AppError {
  const known = appErrorWithin(error);
  if (known !== undefined) return known;
  const place = `the bucket "${bucket}" at ${new URL(endpoint).host}`;
  if (!(error instanceof BucketRefusal) || passes(error))
    return new AppError(
      "storage_unavailable",
      `Files cannot be stored or read right now: ${place} does not answer (${codeOf(error)}).`,
      { retryable: true, cause: error },
    );
  if (error.reason === "RequestTimeTooSkewed")
    return refused(`The clock of this machine and that of ${place} are too far apart. Set it.`, error);
  if (error.reason === "NoSuchBucket" || error.status === 404)
    return refused(`There is no bucket "${bucket}" at ${new URL(endpoint).host}. Check S3_BUCKET.`, error);
  if (error.status === 401 || error.status === 403)
    return refused(
      `It turns away S3_ACCESS_KEY_ID (${error.reason || error.status}): ${place}. Check the key, its secret, S3_REGION and its rights.`,
      error,
    );
  return refused(`Something that a file needs is not taken by ${place} (${error.message}).`, error);
}

function refused(message: string, cause: Error): AppError {
  return new AppError("file_store_refused", message, { cause });
}

function codeOf(error: unknown): string {
  if (error instanceof BucketRefusal) return String(error.status);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : messageOf(error);
}
