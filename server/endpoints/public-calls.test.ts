import { expect, test } from "vitest";
import type { Engine, RunnableWorkflow, StartTask } from "../engine/engine-api.ts";
import type { Db } from "../storage/db.ts";
import { createEndpointStore } from "./endpoint.sql.ts";
import { createPublicCalls } from "./public-calls.ts";

/** An endpoint whose caller presents a key with these scopes; counts the queries. */
function openCalls(scopes: string[], { role = "owner", addresses = "", workflowIds = "" } = {}) {
  const queries: string[] = [];
  const uses: string[] = [];
  const started: StartTask[] = [];
  const row = {
    api_enabled: 1,
    api_authentication: 1,
    api_sync: 1,
    active: 1,
    deleted_at: null,
    form_settings: null,
    presented_key: `key_1 ${role} ${JSON.stringify(scopes)} ${addresses} ${workflowIds}`,
  };
  const db = { query: (sql: string) => Promise.resolve((queries.push(sql), [row])) } as unknown as Db;
  const calls = createPublicCalls({
    store: createEndpointStore(db, { toRunnable: () => Promise.resolve({ id: "wf_1" } as RunnableWorkflow) }),
    keys: {
      find: () => Promise.reject(new Error("a call looks its key up together with the endpoint")),
      recordUse: (id) => void uses.push(id),
      toPresented: (rawKey) => ({ hash: rawKey, at: 0 }),
    },
    engine: {
      start: (request: StartTask) =>
        Promise.resolve((started.push(request), { taskId: "task_1", status: "queued", existing: false })),
      settled: () => Promise.resolve({}),
    } as unknown as Engine,
    syncTimeoutMs: 1000,
  });
  return { calls, queries, uses, started };
}

const authorize = (calls: ReturnType<typeof openCalls>["calls"], address = "203.0.113.7") =>
  calls.authorize("api", "shop", "baton_key", address);

test("endpoint, key, scopes, role, addresses and workflows of a call are one query", async () => {
  const limits = { role: "operator", addresses: '["203.0.113.0/24"]', workflowIds: '["wf_1"]' };
  const { calls, queries, uses } = openCalls(["mcp", "endpoints"], limits);
  const { key } = await authorize(calls);
  expect(key).toEqual({
    id: "key_1",
    role: "operator",
    scopes: ["endpoints", "mcp"],
    addresses: ["203.0.113.0/24"],
    workflowIds: ["wf_1"],
  });
  expect(queries).toHaveLength(1);
  expect(uses).toEqual(["key_1"]);
});

test("peers notify this process of the end of a task only when its caller waits", async () => {
  const { calls, started } = openCalls(["endpoints"]);
  const endpoint = await authorize(calls);
  for (const sync of [true, false])
    await calls.call({ ...endpoint, sync }, { input: {}, body: "{}" } as never);
  expect(started.map(({ isAwaited }) => isAwaited)).toEqual([true, false]);
});

test("a key without the scope of endpoints is refused, and a scope of a newer version opens nothing", async () => {
  for (const scopes of [[], ["mcp"], ["endpoints2", "admin"]]) {
    const { calls, uses } = openCalls(scopes);
    await expect(authorize(calls)).rejects.toMatchObject({ code: "insufficient_scope" });
    expect(uses).toEqual([]);
  }
});

test.each([
  ["address_not_allowed", { addresses: '["198.51.100.0/24"]' }],
  ["forbidden", { role: "viewer" }],
  ["insufficient_scope", { workflowIds: '["wf_2"]' }],
] as const)("%s: a key outside of %j is refused and not counted as used", async (code, limits) => {
  const { calls, uses } = openCalls(["endpoints"], limits);
  await expect(authorize(calls)).rejects.toMatchObject({ code });
  expect(uses).toEqual([]);
});
