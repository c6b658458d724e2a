import { createHash, randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { ApiResponse, Client } from "./client.ts";

export const REDIRECT_URI = "https://app.example/callback";

export interface TestOAuthClient {
  client_id: string;
  client_secret?: string;
}

/** Registers a client; a public one unless `metadata` says otherwise. */
export async function registerClient(
  caller: Client,
  metadata: Record<string, unknown> = {},
): Promise<TestOAuthClient> {
  const response = await caller.post("/oauth/register", {
    client_name: "Test app",
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: "none",
    ...metadata,
  });
  expect([response.status, response.body]).toEqual([201, expect.anything()]);
  return response.body;
}

export function createPkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

export function authorizationQuery(clientId: string, challenge: string): Record<string, string> {
  return {
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    code_challenge: challenge,
    code_challenge_method: "S256",
    state: "state-1",
  };
}

/** Allows the request as the consent screen does; returns the parameters that the client receives. */
export async function allow(
  owner: Client,
  query: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<URLSearchParams> {
  const { status, body } = await owner.post(
    "/api/oauth/authorization",
    { ...query, decision: "allow" },
    headers,
  );
  expect([status, body]).toEqual([200, expect.anything()]);
  return new URL(body.redirectTo).searchParams;
}

export function postForm(
  caller: Client,
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const body = new URLSearchParams(fields).toString();
  return caller.call(url, {
    method: "POST",
    body,
    contentType: "application/x-www-form-urlencoded",
    headers,
  });
}

/** Registration, consent and the exchange of the code; the tokens as the client gets them. */
export async function connectApp(
  owner: Client,
  consent: Record<string, string> = {},
  // oxlint-disable-next-line no-explicit-any
): Promise<{ client: TestOAuthClient; tokens: any; basic: Record<string, string> }> {
  const client = await registerClient(owner, { token_endpoint_auth_method: "client_secret_basic" });
  const credentials = Buffer.from(`${client.client_id}:${client.client_secret}`).toString("base64");
  const basic = { authorization: `Basic ${credentials}` };
  const { verifier, challenge } = createPkce();
  const code = (await allow(owner, { ...authorizationQuery(client.client_id, challenge), ...consent })).get(
    "code",
  ) as string;
  const fields = { grant_type: "authorization_code", code, code_verifier: verifier };
  const { status, body } = await postForm(owner, "/oauth/token", fields, basic);
  expect([status, body]).toEqual([200, expect.anything()]);
  return { client, tokens: body, basic };
}
