import { LIMITS, type LimitName, type LimitSetting } from "../../contract/limits.ts";
import { AppError } from "../lib/errors.ts";

export interface RefusalOptions {
  /** When the same call may succeed; becomes `Retry-After`. */
  retryAfterSeconds?: number;
  /** The workspace whose limit it is: its admins are notified. */
  ownerId?: string;
}

/** In a run, a retry of the step cannot help. */
const PERMANENT: ReadonlySet<LimitName> = new Set([
  "code_time",
  "code_memory",
  "descendants",
  "journal_entries",
  "secret_bytes",
  "email_recipients",
]);

/** Use that exceeds a share or a budget: 429 on a request, a failed step in a run. `message` says what happened. */
export function limitReached(
  name: LimitName,
  message: string,
  { retryAfterSeconds }: RefusalOptions = {},
): AppError {
  return refusal("limit_reached", name, message, {
    permanent: PERMANENT.has(name),
    retryAfterMs: retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000,
  });
}

/** A value in a run that is larger than its budget. No retry makes it smaller. */
export function outputTooLarge(name: LimitName, message: string): AppError {
  return refusal("output_too_large", name, message);
}

/** A request whose body or response is larger than its budget. */
export function payloadTooLarge(name: LimitName, message: string): AppError {
  return refusal("payload_too_large", name, message);
}

/** True for the `details.limit` of an error that no retry of its step avoids. */
export function isPermanentLimit(setting: unknown): boolean {
  return LIMITS.some((limit) => limit.setting === setting && PERMANENT.has(limit.name));
}

export function settingOf(name: LimitName): LimitSetting {
  return LIMITS.find((limit) => limit.name === name)!.setting;
}

function refusal(
  code: "limit_reached" | "output_too_large" | "payload_too_large",
  name: LimitName,
  message: string,
  options: { permanent?: boolean; retryAfterMs?: number | undefined } = {},
): AppError {
  const setting = settingOf(name);
  return new AppError(code, `${message} The operator can raise ${setting}.`, {
    details: { limit: setting },
    stepExtra: { details: { limit: setting } },
    ...options,
  });
}
