import { expect, test } from "vitest";
import type { Engine, RunnableWorkflow } from "../engine/engine-api.ts";
import type { Db } from "../storage/db.ts";
import { createEndpointStore } from "./endpoint.sql.ts";
import { createPublicCalls } from "./public-calls.ts";

/** An endpoint whose caller presents a key with these scopes; counts the queries. */
function openCalls(scopes: string[]) {
  const queries: string[] = [];
  const uses: string[] = [];
  const row = {
    api_enabled: 1,
    api_authentication: 1,
    api_sync: 1,
    active: 1,
    deleted_at: null,
    form_settings: null,
    key_and_scopes: `key_1 ${JSON.stringify(scopes)}`,
  };
  const db = { query: (sql: string) => Promise.resolve((queries.push(sql), [row])) } as unknown as Db;
  const calls = createPublicCalls({
    store: createEndpointStore(db, { toRunnable: () => Promise.resolve({} as RunnableWorkflow) }),
    keys: {
      find: () => Promise.reject(new Error("a call looks its key up together with the endpoint")),
      recordUse: (id) => void uses.push(id),
      toPresented: (rawKey) => ({ hash: rawKey, at: 0 }),
    },
    engine: {} as Engine,
    syncTimeoutMs: 1000,
  });
  return { calls, queries, uses };
}

test("endpoint, key and scopes of a call are one query", async () => {
  const { calls, queries, uses } = openCalls(["mcp", "endpoints"]);
  const { key } = await calls.authorize("shop", "baton_key");
  expect(key).toEqual({ id: "key_1", scopes: ["endpoints", "mcp"] });
  expect(queries).toHaveLength(1);
  expect(uses).toEqual(["key_1"]);
});

test("a key without the scope of endpoints is refused, and a scope of a newer version opens nothing", async () => {
  for (const scopes of [[], ["mcp"], ["endpoints2", "admin"]]) {
    const { calls, uses } = openCalls(scopes);
    await expect(calls.authorize("shop", "baton_key")).rejects.toMatchObject({ code: "insufficient_scope" });
    expect(uses).toEqual([]);
  }
});
