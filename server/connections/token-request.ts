import type { ConnectionSettings } from "../../contract/connections.ts";
import { AppError } from "../lib/errors.ts";
import { isLoopbackName } from "../security/address-classes.ts";
import type { Egress } from "../security/egress.ts";
import type { TokenClient } from "./oauth-clients.ts";

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 256 * 1024;
/** Vendors that send bearer tokens under other names, or under none. */
const BEARER_TYPES = new Set(["", "bearer", "bot", "user"]);

export interface StoredTokens {
  accessToken: string;
  refreshToken?: string | undefined;
  /** By the clock of this service. */
  expiresAt?: number | undefined;
  /** Who logged in, of an id token. */
  account?: string | undefined;
}

/** The authorization server answered with an error, so the same request fails again. */
export class TokenRefusal extends Error {
  /** An error code of RFC 6749, such as `invalid_grant`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface TokenRequestDeps {
  egress: Pick<Egress, "fetch">;
  now(): number;
}

/** Requests tokens, and reads the answer leniently where vendors differ and strictly where it decides who gets access. */
export async function requestTokens(
  { egress, now }: TokenRequestDeps,
  settings: ConnectionSettings<"oauth2">,
  client: TokenClient,
  form: Record<string, string>,
): Promise<StoredTokens> {
  const url = new URL(settings.tokenUrl ?? "");
  if (url.protocol !== "https:" && !isLoopbackName(url.hostname))
    throw new AppError("connection_authorization_failed", "The token URL must begin with https://.");
  const headers: Record<string, string> = {
    accept: "application/json",
    "content-type": "application/x-www-form-urlencoded",
  };
  const body = new URLSearchParams(form);
  if (client.clientSecret === undefined || settings.clientAuthentication === "body") {
    body.set("client_id", client.clientId);
    if (client.clientSecret !== undefined) body.set("client_secret", client.clientSecret);
  } else headers["authorization"] = basic(client.clientId, client.clientSecret);
  const response = await egress.fetch(url, {
    method: "POST",
    headers,
    body: body.toString(),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    // A redirect would send the code and the secret elsewhere.
    maxRedirects: 0,
  });
  const answer = readAnswer(response.body.toString("utf8"));
  const error = answer["error"] ?? (answer["ok"] === false ? "refused" : undefined);
  const isError = error !== undefined || response.status >= 400;
  if (isError && !isTemporary(response.status, error))
    throw refusal(error, answer["error_description"], response.status);
  if (isError || response.status > 299)
    throw new AppError("connection_authorization_failed", `${url.host} answered ${response.status}.`, {
      retryable: true,
    });
  return readTokens(answer, settings, client, now());
}

/** The tokens are kept, because the same request may work later: too many requests, or a server that is down. */
function isTemporary(status: number, error: unknown): boolean {
  return (
    status >= 500 ||
    status === 408 ||
    status === 429 ||
    (typeof error === "string" && ["temporarily_unavailable", "server_error", "slow_down"].includes(error))
  );
}

/** RFC 6749, 2.3.1: both parts are form-encoded before base64. */
function basic(clientId: string, clientSecret: string): string {
  const encode = (text: string) => new URLSearchParams([["", text]]).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString("base64")}`;
}

/** JSON; some vendors answer with a form. */
function readAnswer(text: string): Record<string, unknown> {
  try {
    const json = JSON.parse(text) as unknown;
    if (typeof json === "object" && json !== null && !Array.isArray(json))
      return json as Record<string, unknown>;
  } catch {
    return Object.fromEntries(new URLSearchParams(text));
  }
  return {};
}

function refusal(error: unknown, description: unknown, status: number): TokenRefusal {
  const plain = (value: unknown) =>
    typeof value === "string" ? value.replaceAll(/[^\x20-\x7e]+/g, " ").slice(0, 200) : "";
  const code = plain(error);
  const said = [code, plain(description)].filter((part) => part !== "").join(": ");
  return new TokenRefusal(code, `The authorization server answered ${said === "" ? status : said}`);
}

function readTokens(
  answer: Record<string, unknown>,
  { audience, issuer }: ConnectionSettings<"oauth2">,
  { clientId }: TokenClient,
  now: number,
): StoredTokens {
  const {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: type = "",
    id_token: idToken,
  } = answer;
  if (typeof accessToken !== "string" || !/^[\x21-\x7e]{1,16000}$/.test(accessToken))
    throw invalid("has no access token");
  if (typeof type !== "string" || !BEARER_TYPES.has(type.toLowerCase()))
    throw invalid(`has a token of the type ${JSON.stringify(type).slice(0, 50)}, not a bearer token`);
  const claims = typeof idToken === "string" ? claimsOf(idToken) : undefined;
  if (typeof idToken === "string") {
    if (claims === undefined) throw invalid("has an unreadable id token");
    if (!isMeantFor(claims, clientId)) throw invalid("has an id token for another client");
    if (issuer !== undefined && claims["iss"] !== issuer) throw invalid("has an id token of another issuer");
  }
  const accessClaims = claimsOf(accessToken);
  if (audience !== undefined && accessClaims?.["aud"] !== undefined && !isMeantFor(accessClaims, audience))
    throw invalid("has a token for another audience");
  const seconds = Number(answer["expires_in"]);
  const account = [claims?.["email"], claims?.["name"]].find((value) => typeof value === "string");
  return {
    accessToken,
    ...(typeof refreshToken === "string" && refreshToken !== "" && { refreshToken }),
    ...(Number.isFinite(seconds) && seconds > 0 && { expiresAt: now + seconds * 1000 }),
    ...(typeof account === "string" && { account: account.slice(0, 200) }),
  };
}

/** Not verified: the answer came from the token URL itself, over TLS (OpenID Connect Core, 3.1.3.7). */
function claimsOf(jwt: string): Record<string, unknown> | undefined {
  const [, payload, signature] = jwt.split(".");
  if (payload === undefined || signature === undefined) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as unknown;
    return typeof claims === "object" && claims !== null ? (claims as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isMeantFor({ aud }: Record<string, unknown>, audience: string): boolean {
  return Array.isArray(aud) ? aud.includes(audience) : aud === audience;
}

function invalid(what: string): AppError {
  return new AppError("connection_authorization_failed", `The answer of the authorization server ${what}.`);
}
