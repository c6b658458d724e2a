import * as z from "zod";
import { CLIENT_AUTH_METHODS, type ClientAuthMethod, registerClientSchema } from "../../contract/oauth.ts";
import { OAuthError } from "./oauth-error.ts";
import { redirectKindOf, redirectTargetOf } from "./redirect-uris.ts";

/** What both kinds of registration say about a client. */
export interface ClientMetadata {
  name: string;
  redirectUris: readonly string[];
  authMethod: ClientAuthMethod;
}

const MAX_NAME = 80;

/** Throws `invalid_redirect_uri` or `invalid_client_metadata`. */
export function readClientMetadata(
  given: z.infer<typeof registerClientSchema>,
  defaultMethod: ClientAuthMethod,
): ClientMetadata {
  for (const uri of given.redirect_uris)
    if (redirectKindOf(uri) === undefined)
      throw new OAuthError(
        "invalid_redirect_uri",
        "A redirect URI must be https, http on localhost, or a scheme of the app, without a fragment or a password.",
      );
  const method = given.token_endpoint_auth_method ?? defaultMethod;
  if (!isAuthMethod(method))
    throw refused(`token_endpoint_auth_method must be one of ${CLIENT_AUTH_METHODS.join(", ")}.`);
  if (given.grant_types !== undefined && !given.grant_types.includes("authorization_code"))
    throw refused("grant_types must include authorization_code.");
  if (given.response_types !== undefined && !given.response_types.includes("code"))
    throw refused("response_types must include code.");
  return {
    name: readName(given.client_name ?? "") || redirectTargetOf(given.redirect_uris[0] as string),
    redirectUris: given.redirect_uris,
    authMethod: method,
  };
}

/** Invisible and direction-changing characters would make a name look like another one. */
function readName(given: string): string {
  const name = given
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .replaceAll(/\p{C}/gu, "")
    .trim();
  if (
    /\p{Script=Latin}/u.test(name) &&
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(name)
  )
    throw refused("client_name mixes alphabets whose letters look alike.");
  return [...name].slice(0, MAX_NAME).join("");
}

function isAuthMethod(method: string): method is ClientAuthMethod {
  return (CLIENT_AUTH_METHODS as readonly string[]).includes(method);
}

function refused(description: string): OAuthError {
  return new OAuthError("invalid_client_metadata", description);
}
