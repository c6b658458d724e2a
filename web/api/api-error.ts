/** An error response of the service. `body` keeps the fields other than `message`, such as the current version of a conflict. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly body: Record<string, unknown>;

  constructor(status: number, body: Record<string, unknown>) {
    super(typeof body["message"] === "string" ? body["message"] : "The service sent an unexpected response.");
    this.status = status;
    this.code = typeof body["error"] === "string" ? body["error"] : "unknown";
    this.body = body;
  }
}

/** A response that does not match its contract schema. Thrown in development builds only. */
export class ContractError extends Error {}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "Something went wrong. Try again.";
}
