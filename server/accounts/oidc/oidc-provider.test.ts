import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createEgress } from "../../security/egress.ts";
import { createOidcProvider, type LoginAttempt } from "./oidc-provider.ts";

const [own, foreign] = [await generateKeyPair("RS256"), await generateKeyPair("RS256")];
const redirectUri = "https://baton.example.com/login/callback";
const clientId = "baton";
const seconds = () => Math.floor(Date.now() / 1000);

/** What the token endpoint of the provider returns as the ID token. */
let issueIdToken: () => Promise<string> = () => Promise.reject(new Error("no token"));
let tokenRequests = 0;
let padding = "";

const server = createServer((request, response) => {
  const send = (body: object): void => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  if (request.url === "/.well-known/openid-configuration")
    send({
      issuer,
      padding,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      authorization_response_iss_parameter_supported: true,
    });
  else if (request.url === "/jwks")
    void exportJWK(own.publicKey).then((jwk) => send({ keys: [{ ...jwk, kid: "k1", alg: "RS256" }] }));
  else {
    tokenRequests += 1;
    void issueIdToken().then((idToken) =>
      send({ access_token: "at", token_type: "Bearer", expires_in: 60, id_token: idToken }),
    );
  }
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const egress = createEgress({ allowPrivate: true, allow: [], deny: [] });
afterAll(async () => {
  await egress.close();
  server.close();
});

const settings = {
  issuer,
  clientId,
  clientSecret: "hush-hush",
  scopes: "openid",
  groupsClaim: "groups",
  roleRules: [],
  buttonLabel: "",
  only: false,
  createAccounts: true,
  trustEmail: false,
};
const provider = createOidcProvider({
  settings,
  redirectUri,
  egress,
  monotonic: () => performance.now(),
});

test("metadata of more than 256 KB is refused", async () => {
  padding = "x".repeat(300_000);
  onTestFinished(() => void (padding = ""));
  const { begin } = createOidcProvider({ settings, redirectUri, egress, monotonic: () => 0 });
  await expect(begin()).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("262144 bytes"),
  });
});

const claimsFor = ({ nonce }: LoginAttempt): JWTPayload => ({
  iss: issuer,
  aud: clientId,
  sub: "user-1",
  nonce,
  iat: seconds(),
  exp: seconds() + 60,
  email: "ada@example.com",
});
const sign = (claims: JWTPayload, key = own.privateKey): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "k1" }).sign(key);
const queryOf = (values: Record<string, string>): string => new URLSearchParams(values).toString();

test("a login carries PKCE, state and nonce, and returns the claims of the ID token", async () => {
  const { url, attempt } = await provider.begin();
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
  });
  issueIdToken = () => sign(claimsFor(attempt));
  const claims = await provider.finish(queryOf({ code: "c", state: attempt.state, iss: issuer }), attempt);
  expect(claims).toMatchObject({ issuer, subject: "user-1", email: "ada@example.com" });
});

const forgeries: [string, (claims: JWTPayload) => Promise<string>][] = [
  ["a nonce of another login", (claims) => sign({ ...claims, nonce: "other" })],
  ["no nonce", ({ nonce: _none, ...claims }) => sign(claims)],
  ["another audience", (claims) => sign({ ...claims, aud: "another-client" })],
  ["another issuer", (claims) => sign({ ...claims, iss: "https://evil.example" })],
  ["an expiry in the past", (claims) => sign({ ...claims, exp: seconds() - 3600, iat: seconds() - 7200 })],
  ["no subject", ({ sub: _none, ...claims }) => sign(claims)],
  ["the signature of another key", (claims) => sign(claims, foreign.privateKey)],
  ["no signature", (claims) => Promise.resolve(new UnsecuredJWT(claims).encode())],
];
test.each(forgeries)("[S22] an ID token with %s is refused", async (_what, forge) => {
  const { attempt } = await provider.begin();
  issueIdToken = () => forge(claimsFor(attempt));
  const query = queryOf({ code: "c", state: attempt.state, iss: issuer });
  await expect(provider.finish(query, attempt)).rejects.toMatchObject({ code: "provider_login_failed" });
});

const forgedResponses: [string, (state: string) => Record<string, string>][] = [
  ["the state of another login", () => ({ code: "c", state: "other", iss: issuer })],
  ["no state", () => ({ code: "c", iss: issuer })],
  ["another issuer", (state) => ({ code: "c", state, iss: "https://evil.example" })],
  ["no issuer, although the provider always names itself", (state) => ({ code: "c", state })],
  ["no code", (state) => ({ state, iss: issuer })],
  ["an error of the provider", (state) => ({ error: "access_denied", state, iss: issuer })],
];
test.each(forgedResponses)(
  "[S22] a response with %s is refused before the code is used",
  async (_what, query) => {
    const { attempt } = await provider.begin();
    issueIdToken = () => sign(claimsFor(attempt));
    tokenRequests = 0;
    await expect(provider.finish(queryOf(query(attempt.state)), attempt)).rejects.toMatchObject({
      code: "provider_login_failed",
    });
    expect(tokenRequests).toBe(0);
  },
);
