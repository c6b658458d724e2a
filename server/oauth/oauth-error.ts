import type { OAuthErrorCode } from "../../contract/oauth.ts";

const STATUSES: Partial<Record<OAuthErrorCode, number>> = {
  invalid_client: 401,
  temporarily_unavailable: 429,
  server_error: 500,
};

/** A failure in OAuth's own shape, `{error, error_description}`. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly status: number;

  constructor(code: OAuthErrorCode, description: string) {
    super(description);
    this.name = "OAuthError";
    this.code = code;
    this.status = STATUSES[code] ?? 400;
  }
}
