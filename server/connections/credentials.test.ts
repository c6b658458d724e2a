import { expect, test } from "vitest";
import type { ConnectionRecord } from "./connection.sql.ts";
import { staticCredential } from "./credentials.ts";

async function authorized(settings: Record<string, unknown>, address: string) {
  const record = { kind: "api_key", settings } as unknown as ConnectionRecord;
  const request = { url: new URL(address), headers: {} };
  await staticCredential(record, { key: "a/b:1" }).authorize(request);
  return { url: request.url.href, headers: request.headers };
}

test("an API key is sent where its settings say", async () => {
  const address = "https://api.example.com/bot:token/send?x=1";
  expect(await authorized({ in: "query", name: "key" }, address)).toEqual({
    url: "https://api.example.com/bot:token/send?x=1&key=a%2Fb%3A1",
    headers: {},
  });
  expect(await authorized({ in: "path", name: ":token" }, address)).toEqual({
    url: "https://api.example.com/bota%2Fb:1/send?x=1",
    headers: {},
  });
  expect(await authorized({ name: "apikey", bearer: true }, address)).toEqual({
    url: address,
    headers: { apikey: "a/b:1", authorization: "Bearer a/b:1" },
  });
});
