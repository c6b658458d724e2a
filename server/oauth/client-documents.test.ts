import { expect, test } from "vitest";
import { AppError } from "../lib/errors.ts";
import type { GuardedInit } from "../security/guarded-fetch.ts";
import { createClientDocuments, isDocumentUrl } from "./client-documents.ts";

const ID = "https://app.example/oauth/client.json";
const DOCUMENT = { client_id: ID, client_name: "Example", redirect_uris: ["http://127.0.0.1/callback"] };

function open(
  respond: (
    url: string,
    init: GuardedInit,
  ) => { status?: number; body: string; headers?: Record<string, string> },
) {
  let now = 0;
  const calls: GuardedInit[] = [];
  const documents = createClientDocuments({
    fetch: async (url, init = {}) => {
      calls.push(init);
      const { status = 200, body, headers = {} } = respond(String(url), init);
      return { status, headers, body: Buffer.from(body), url: String(url) };
    },
    clock: { now: () => now, monotonic: () => now },
  });
  return { documents, calls, advance: (ms: number) => (now += ms) };
}

const codeOf = (reading: Promise<unknown>) =>
  reading.then(
    () => "accepted",
    (error: { code: string }) => error.code,
  );

test("a client id is the https address of a document, written in only one way", () => {
  expect(isDocumentUrl(ID)).toBe(true);
  for (const wrong of [
    "http://app.example/client.json",
    "https://app.example",
    "https://app.example/",
    "https://APP.example/client.json",
    "https://app.example:443/client.json",
    "https://app.example/a/../client.json",
    "https://app.example/client.json#x",
    "https://user@app.example/client.json",
    `https://app.example/${"a".repeat(500)}`,
    "client_1",
  ])
    expect([wrong, isDocumentUrl(wrong)]).toEqual([wrong, false]);
});

test("the document is read without redirects, with limits of size and time, and kept as long as it says", async () => {
  const { documents, calls, advance } = open(() => ({
    body: JSON.stringify(DOCUMENT),
    headers: { "cache-control": "public, max-age=120" },
  }));
  expect(await documents.read(ID)).toEqual({
    name: "Example",
    redirectUris: DOCUMENT.redirect_uris,
    authMethod: "none",
  });
  expect(calls).toEqual([
    { headers: { accept: "application/json" }, maxBytes: 16_384, timeoutMs: 5000, maxRedirects: 0 },
  ]);
  advance(119_000);
  await documents.read(ID);
  expect(calls).toHaveLength(1);
  advance(1000);
  await documents.read(ID);
  expect(calls).toHaveLength(2);
});

test("a document that forbids caching is read every time", async () => {
  const { documents, calls } = open(() => ({
    body: JSON.stringify(DOCUMENT),
    headers: { "cache-control": "no-store, max-age=600" },
  }));
  await documents.read(ID);
  await documents.read(ID);
  expect(calls).toHaveLength(2);
});

test.each([
  [
    "another client's document",
    { body: JSON.stringify({ ...DOCUMENT, client_id: `${ID}x` }) },
    "invalid_client",
  ],
  ["a redirect", { status: 302, body: "" }, "invalid_client"],
  ["no JSON", { body: "<html>" }, "invalid_client"],
  ["no name", { body: JSON.stringify({ ...DOCUMENT, client_name: undefined }) }, "invalid_client"],
  [
    "a shared secret",
    { body: JSON.stringify({ ...DOCUMENT, token_endpoint_auth_method: "client_secret_post" }) },
    "invalid_client",
  ],
  [
    "a script as redirect URI",
    { body: JSON.stringify({ ...DOCUMENT, redirect_uris: ["javascript:alert(1)"] }) },
    "invalid_redirect_uri",
  ],
])("%s is refused, and not remembered", async (_name, response, code) => {
  let isBroken = true;
  const { documents } = open(() => (isBroken ? response : { body: JSON.stringify(DOCUMENT) }));
  expect(await codeOf(documents.read(ID))).toBe(code);
  isBroken = false;
  expect(await codeOf(documents.read(ID))).toBe("accepted");
});

test("an address that the egress guard denies is an unknown client", async () => {
  const { documents } = open(() => {
    throw new AppError("egress_denied", "app.example is a private address.");
  });
  await expect(documents.read(ID)).rejects.toMatchObject({
    code: "invalid_client",
    message: expect.stringContaining("private address"),
  });
});
