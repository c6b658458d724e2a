import { expect, test } from "vitest";
import { chain } from "./support/graphs.ts";
import { shareApp } from "./support/shared-app.ts";

const { ada } = await shareApp(["ada"]);

test("a value is put, read, listed and deleted, for the workspace, a workflow or an agent", async () => {
  const workflow = (await ada.post("/api/workflows", { name: "Counter", metadata: chain("a") })).body
    .workflow;
  const agent = (
    await ada.post("/api/agents", { name: "Ann", tools: { workflows: [], documents: [], memory: true } })
  ).body.agent;
  expect(agent.tools.memory).toBe(true);
  for (const scope of ["workspace", workflow.id, agent.id]) {
    const url = `/api/store/${scope}/${encodeURIComponent("a/b c")}`;
    const put = await ada.put(url, { value: { n: 1 }, expiresInMs: 60_000 });
    expect(put.body).toMatchObject({ ok: true, value: { scope, key: "a/b c", value: { n: 1 }, bytes: 7 } });
    expect((await ada.get(url)).body).toEqual(put.body);
    const { values } = (await ada.get(`/api/store?scope=${scope}`)).body;
    expect(values).toEqual([put.body.value]);
    expect((await ada.delete(url)).status).toBe(200);
    expect((await ada.get(url)).body).toMatchObject({ ok: false, error: "store_value_not_found" });
    expect((await ada.delete(url)).status).toBe(404);
  }
});

test("a bad key, scope or value is refused", async () => {
  expect((await ada.put(`/api/store/workspace/${"k".repeat(301)}`, { value: 1 })).status).toBe(400);
  expect((await ada.put("/api/store/workspace/a", {})).status).toBe(400);
  expect((await ada.put("/api/store/workspace/a", { value: 1, expiresInMs: 0 })).status).toBe(400);
  expect((await ada.put("/api/store/nowhere/a", { value: 1 })).body.error).toBe("workflow_not_found");
  const large = await ada.put("/api/store/workspace/a", { value: "x".repeat(300_000) });
  expect([large.status, large.body.error, large.body.details]).toEqual([
    429,
    "limit_reached",
    { limit: "MAX_STORE_VALUE_BYTES" },
  ]);
});

test("an export of a workflow has no stored value", async () => {
  const { workflow } = (await ada.post("/api/workflows", { name: "Counter", metadata: chain("a") })).body;
  await ada.put(`/api/store/${workflow.id}/hidden-key`, { value: "hidden value" });
  const exported = await ada.get(`/api/workflows/${workflow.id}/export`);
  expect(exported.status).toBeLessThan(300);
  expect(exported.text).not.toContain("hidden");
});
