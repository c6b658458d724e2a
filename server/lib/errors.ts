import { type ErrorCode, isPermanentError, type ResourceNoun } from "../../contract/errors.ts";

/**
 * The one error type of the program. The tables of contract/errors.ts say what a code means: http/errors.ts maps it to
 * a status, realtime/ to an acknowledgement, the engine to a stored step error.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Shown to the client as `details` of the response. */
  readonly details: unknown;
  /** The fault is temporary: the same call may succeed later. */
  readonly retryable: boolean;
  /** The step that raised it is not tried again, even when `maxRetries` allows it. */
  readonly permanent: boolean;
  /** How long the other side asked to wait before the next attempt. */
  readonly retryAfterMs: number | undefined;
  /** Stored in the step result together with the error: the response of an http step. */
  readonly stepExtra: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.details = options.details;
    this.retryable = options.retryable ?? false;
    this.permanent = options.permanent ?? isPermanentError(code);
    this.retryAfterMs = options.retryAfterMs;
    this.stepExtra = options.stepExtra;
  }
}

export interface AppErrorOptions {
  details?: unknown;
  retryable?: boolean;
  /** When it differs from what the code's table entry says. */
  permanent?: boolean;
  retryAfterMs?: number | undefined;
  stepExtra?: Record<string, unknown>;
  cause?: unknown;
}

export function invalidRequest(message: string, details = [{ path: "", message }]): AppError {
  return new AppError("invalid_request", message, { details });
}

/** A caller may send an id of any length. */
const SHOWN_ID_CHARACTERS = 80;

/**
 * `notFound("workflow", id)` → `workflow_not_found`: a client can tell which resource is missing. Without the id where it is
 * a credential, such as that of a link.
 */
export function notFound(noun: ResourceNoun, id?: string): AppError {
  const name = noun.replaceAll("_", " ");
  const message =
    id === undefined
      ? `There is no such ${name}.`
      : id === ""
        ? `The id of the ${name} is empty. Add it to the path, or remove a slash at the end.`
        : `There is no ${name} ${quoteId(id)}.`;
  return new AppError(`${noun}_not_found`, message);
}

/** As a JSON string: it has no line breaks or quotes of its own. */
export function quoteId(id: string): string {
  const shown = id.length > SHOWN_ID_CHARACTERS ? `${id.slice(0, SHOWN_ID_CHARACTERS)}…` : id;
  return JSON.stringify(shown);
}

export function forbidden(noun: ResourceNoun): AppError {
  return new AppError(
    "forbidden",
    `This ${noun.replaceAll("_", " ")} belongs to another account or workspace. Use one of this workspace, or switch to the other.`,
  );
}

export function unavailable(message: string, cause?: unknown): AppError {
  return new AppError("unavailable", message, { retryable: true, cause });
}

/** The text of anything thrown, for logs and stored step errors. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
