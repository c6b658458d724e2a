import type * as OpenidClient from "openid-client";
import { AppError, messageOf, unavailable } from "../../lib/errors.ts";
import { limitBytes } from "../../lib/limited-fetch.ts";
import { appErrorWithin } from "../../security/outbound-errors.ts";
import type { Egress } from "../../security/egress.ts";
import type { OidcSettings } from "./oidc-settings.ts";

const REQUEST_TIMEOUT_SECONDS = 15;
/** Of each answer: metadata, keys and tokens have a few kilobytes. The library reads and parses them at once. */
const MAX_BYTES = 256 * 1024;
/** Keys of the provider are fetched again when it rotates them; other metadata changes rarely. */
const METADATA_LIFETIME_MS = 3_600_000;

/** What a login attempt must bring back. */
export interface LoginAttempt {
  state: string;
  nonce: string;
  verifier: string;
  /** The token of the invitation whose link began the login. */
  invitation?: string | undefined;
}

export interface ProviderClaims {
  issuer: string;
  subject: string;
  [claim: string]: unknown;
}

export interface OidcProviderDeps {
  settings: OidcSettings;
  /** Where the provider sends the user back. */
  redirectUri: string;
  egress: Pick<Egress, "webFetch">;
  monotonic(): number;
}

export type OidcProvider = ReturnType<typeof createOidcProvider>;

/** The protocol: OpenID Connect with the authorization code flow and PKCE. The library is loaded with the first login. */
export function createOidcProvider({ settings, redirectUri, egress, monotonic }: OidcProviderDeps) {
  const fetch: typeof globalThis.fetch = (input, init) =>
    limitBytes(
      egress.webFetch,
      () => MAX_BYTES,
      () => undefined,
    )(input, init);
  let known: { configuration: OpenidClient.Configuration; until: number } | undefined;

  async function configure(library: typeof OpenidClient): Promise<OpenidClient.Configuration> {
    if (known !== undefined && known.until > monotonic()) return known.configuration;
    const { issuer, clientId, clientSecret } = settings;
    const configuration = await library
      .discovery(new URL(issuer), clientId, clientSecret, clientAuth(library, clientSecret), {
        // The signature is checked too, although the tokens come from the provider over TLS.
        execute: [
          library.enableNonRepudiationChecks,
          ...(issuer.startsWith("http:") ? [library.allowInsecureRequests] : []),
        ],
        [library.customFetch]: fetch as OpenidClient.CustomFetch,
        timeout: REQUEST_TIMEOUT_SECONDS,
      })
      .catch((error: unknown) => {
        throw unavailable(
          `The login provider cannot be reached: ${messageOf(appErrorWithin(error) ?? error)}`,
          error,
        );
      });
    known = { configuration, until: monotonic() + METADATA_LIFETIME_MS };
    return configuration;
  }

  return {
    async begin(): Promise<{ url: string; attempt: LoginAttempt }> {
      const library = await import("openid-client");
      const configuration = await configure(library);
      const attempt = {
        state: library.randomState(),
        nonce: library.randomNonce(),
        verifier: library.randomPKCECodeVerifier(),
      };
      const url = library.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, attempt };
    },

    /** Checks the state, exchanges the code, and checks issuer, audience, nonce, expiry and signature of the ID token. */
    async finish(query: string, { state, nonce, verifier }: LoginAttempt): Promise<ProviderClaims> {
      const library = await import("openid-client");
      const configuration = await configure(library);
      try {
        const tokens = await library.authorizationCodeGrant(
          configuration,
          new URL(`${redirectUri}?${query}`),
          {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: verifier,
            idTokenExpected: true,
          },
        );
        const claims = tokens.claims();
        if (claims === undefined) throw new Error("the response has no ID token");
        const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
        // Providers may leave the address and the groups out of the ID token.
        const isComplete = claims["email"] !== undefined && claims[settings.groupsClaim] !== undefined;
        const more =
          hasUserInfo && !isComplete
            ? await library.fetchUserInfo(configuration, tokens.access_token, claims.sub)
            : {};
        return { ...more, ...claims, issuer: claims.iss, subject: claims.sub };
      } catch (error) {
        throw providerLoginFailed(reasonOf(error), error);
      }
    },

    /** Where the user ends their login at the provider; undefined if it has no such page. */
    async logoutUrl(returnTo: string): Promise<string | undefined> {
      const library = await import("openid-client");
      const configuration = await configure(library);
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
      return library.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href;
    },
  };
}

export function providerLoginFailed(reason: string, cause?: unknown): AppError {
  return new AppError("provider_login_failed", `The login at the provider failed: ${reason}. Try again.`, {
    cause,
  });
}

/** What a person can act on. Details of the protocol stay in the log. */
function reasonOf(error: unknown): string {
  const { error: code, error_description: description } = error as {
    error?: unknown;
    error_description?: unknown;
  };
  if (code === "access_denied") return "access was denied";
  if (typeof description === "string" && description.length < 300) return description;
  return "its response is not valid, or this login was finished before";
}

/** Basic where the provider supports it, which is the default of the standard. */
function clientAuth(library: typeof OpenidClient, secret: string | undefined): OpenidClient.ClientAuth {
  if (secret === undefined) return library.None();
  const [basic, post] = [library.ClientSecretBasic(secret), library.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    return (methods.includes("client_secret_basic") ? basic : post)(server, ...rest);
  };
}
