import type { ClientCredentials } from "./clients.ts";
import { OAuthError } from "./oauth-error.ts";

interface CredentialFields {
  client_id?: string | undefined;
  client_secret?: string | undefined;
}

/** `client_secret_basic` or `client_secret_post`, never both (RFC 6749, 2.3). */
export function readCredentials(
  authorization: string | undefined,
  body: CredentialFields,
): ClientCredentials {
  const { client_id: clientId, client_secret: clientSecret } = body;
  if (authorization === undefined) return { clientId, clientSecret };
  const fromHeader = readBasic(authorization);
  const isTwice = clientSecret !== undefined || (clientId !== undefined && clientId !== fromHeader.clientId);
  if (isTwice) throw new OAuthError("invalid_request", "Send the client's credentials only once.");
  return fromHeader;
}

function readBasic(authorization: string): ClientCredentials {
  const encoded = /^basic +([\w+/=-]+)$/i.exec(authorization)?.[1];
  const [id, ...secret] = Buffer.from(encoded ?? "", "base64")
    .toString("utf8")
    .split(":");
  if (encoded === undefined || secret.length === 0)
    throw new OAuthError(
      "invalid_client",
      "The Authorization header is not HTTP Basic with a client id and a secret.",
    );
  try {
    // Both parts are form-encoded before they are joined.
    const [clientId, clientSecret] = [id ?? "", secret.join(":")].map((part) =>
      decodeURIComponent(part.replaceAll("+", " ")),
    );
    return { clientId, clientSecret };
  } catch {
    throw new OAuthError("invalid_client", "The client's credentials are not form-encoded.");
  }
}
