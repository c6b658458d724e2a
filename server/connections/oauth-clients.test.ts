import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSecretBox } from "../security/secret-box.ts";
import type { ConnectionApp } from "./connection-app.ts";
import type { ConnectionRecord } from "./connection.sql.ts";
import type { OauthClientRecord } from "./oauth-client.sql.ts";
import { createOauthClients } from "./oauth-clients.ts";

const clock = { now: () => 1, monotonic: () => 1 };

function clientsWith(tokenUrl: string) {
  const app: ConnectionApp = {
    id: "shop",
    title: "Shop",
    hosts: ["{{connection.shop}}.example.com"],
    auth: [{ kind: "oauth2", authorizationUrl: tokenUrl, tokenUrl, scopes: [] }],
  };
  const stored = new Map<string, OauthClientRecord>();
  return createOauthClients({
    store: {
      find: (id) => Promise.resolve(stored.get(id)),
      list: () => Promise.resolve([...stored.values()]),
      put: (client) => Promise.resolve(void stored.set(client.app, client)),
      remove: (id) => Promise.resolve(void stored.delete(id)),
    },
    box: createSecretBox(randomBytes(32)),
    clock,
    apps: { find: () => Promise.resolve(app), builtIn: () => [app] },
    isAdministrator: () => Promise.resolve(true),
  });
}

const record = { app: "shop", settings: {} } as ConnectionRecord;

test("the client of the instance is never sent to a host of the user's choice", async () => {
  for (const [tokenUrl, isUsed] of [
    ["https://api.example.com/token", true],
    ["https://{{connection.shop}}.example.com/token", true],
    ["https://{{connection.site}}/token", false],
    ["https://api.{{connection.site}}/token", false],
    ["https://{{connection.site}}.com/token", false],
    ["{{connection.url}}/token", false],
  ] as const) {
    const clients = clientsWith(tokenUrl);
    await clients.put("ada", "shop", { clientId: "id", clientSecret: "secret" });
    const found = await clients.clientOf(record);
    expect(found, tokenUrl).toEqual(isUsed ? { clientId: "id", clientSecret: "secret" } : undefined);
    expect((await clients.list("ada")).clients).toHaveLength(isUsed ? 1 : 0);
  }
});
