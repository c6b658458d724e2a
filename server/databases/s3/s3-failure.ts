import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { AppError } from "../../lib/errors.ts";
import { appErrorWithin, toAppError } from "../../security/outbound-errors.ts";
import { BucketErrorResponse, isTransient } from "../../storage/files/bucket/bucket-faults.ts";
import type { BucketSettings } from "../../storage/files/bucket/bucket-settings.ts";
import { loginRefused } from "../sql/query-failure.ts";

/** Codes for a wrong key, as opposed to a right one without the permission. */
const LOGIN = new Set(["InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken"]);

/** Names bucket and key, never a credential or a signature. */
export function toS3Failure(
  error: unknown,
  { endpoint, bucket }: BucketSettings,
  key: JsonValue | undefined,
): AppError {
  const known = appErrorWithin(error);
  if (known !== undefined) return known;
  const { host } = new URL(endpoint);
  if (!(error instanceof BucketErrorResponse)) return toAppError(error, new URL(endpoint));
  const { status, reason } = error;
  if (LOGIN.has(reason) || status === 401) return loginRefused(host, error);
  if (reason === "NoSuchBucket") return failed(`There is no bucket "${bucket}" at ${host}.`, error);
  if (status === 404) return failed(`There is no object "${String(key)}" in the bucket "${bucket}".`, error);
  if (status === 403)
    return failed(
      `Access to the bucket "${bucket}" was denied (${reason || status}). Check the permissions of the key.`,
      error,
    );
  return failed(`${host} answered ${status} ${reason}`.trimEnd() + ".", error);
}

function failed(message: string, cause: BucketErrorResponse): AppError {
  const retryable = isTransient(cause) || cause.status === 404;
  return new AppError("query_failed", message, { retryable, permanent: !retryable, cause });
}
