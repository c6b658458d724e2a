/**
 * The one error type of the program. It carries its own policy: `retryable` says whether the same attempt
 * may succeed later. http/errors.ts maps it to a status, realtime to an acknowledgement, the engine to a
 * stored step error; nobody else decides what a code means.
 */
export class AppError extends Error {
  readonly code: string;
  readonly details: unknown;
  readonly retryable: boolean;

  constructor(code: string, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.details = options.details;
    this.retryable = options.retryable ?? false;
  }
}

export interface AppErrorOptions {
  details?: unknown;
  retryable?: boolean;
  cause?: unknown;
}

export function invalidRequest(message: string, details = [{ path: "", message }]): AppError {
  return new AppError("invalid_request", message, { details });
}

/** `notFound("workflow")` → `workflow_not_found`: every noun has its own code, so a client can tell. */
export function notFound(noun: string): AppError {
  return new AppError(`${noun}_not_found`, `There is no such ${noun.replaceAll("_", " ")}.`);
}

export function forbidden(noun: string): AppError {
  return new AppError("forbidden", `This ${noun.replaceAll("_", " ")} belongs to another user.`);
}

export function unavailable(message: string, cause?: unknown): AppError {
  return new AppError("unavailable", message, { retryable: true, cause });
}

/** The text of anything thrown, for logs and stored step errors. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
