import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serve } from "../../server/engine/testing/workbench.ts";
import { pdfOf, lines } from "../support/pdf.ts";
import { upload } from "../documents/upload.ts";
import { registerUser, useTestApp } from "../support/test-app.ts";

test("[S11] saving, registering, validating, importing and cloning run no step and call no address", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const other = await serve((_request, response) => response.end("{}"));
  const steps = [
    { stepId: "call", type: "http", method: "POST", url: other.url },
    { stepId: "write", type: "file", action: "write", path: "made.txt", content: "x" },
    { stepId: "ask", type: "mcp", url: other.url, tool: "t", arguments: {} },
  ];
  const metadata = { steps, edges: [] };
  const { workflow } = (await ada.post("/api/workflows", { name: "Calls", metadata })).body;
  const template = await ada.post("/api/templates", { name: "Calls", metadata });
  const id: string = template.body.template.id;
  const responses = [
    await ada.put(`/api/workflows/${workflow.id}`, { metadata, name: "Calls again" }),
    await ada.get(`/api/templates/${id}/validate`),
    await ada.post(`/api/templates/import/${id}`),
    await ada.post(`/api/workflows/${workflow.id}/clone`),
    await ada.post(`/api/workflows/${workflow.id}/rollback/1`),
    await ada.get(`/api/workflows/${workflow.id}/export`),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 201, 201, 200, 200]);
  expect((await ada.get("/api/tasks")).body.tasks).toEqual([]);
  expect(other.calls).toEqual([]);
  expect(existsSync(join(app.dataDir, "files", ada.user.id, "made.txt"))).toBe(false);
});

test("[S6] a template is never fetched: a URL is not a template", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const other = await serve((_request, response) => response.end('{"name":"x","steps":[]}'));
  for (const body of [{ url: other.url }, { name: "x", url: other.url }, { source: other.url }])
    await ada.post("/api/templates", body);
  const address = encodeURIComponent(other.url);
  expect((await ada.post(`/api/templates/import/${address}`, { url: other.url })).status).toBe(404);
  expect(other.calls).toEqual([]);
});

test("[S6] the embedding service is called through the egress guard", async () => {
  const other = await serve((_request, response) => response.end("{}"));
  const app = await useTestApp({
    EMBEDDING_PROVIDER: "openai-compatible",
    EMBEDDING_MODEL: "m",
    EMBEDDING_BASE_URL: other.url,
    EGRESS_DENY: "127.0.0.1",
  });
  const ada = await registerUser(app, "ada");
  const response = await upload(ada, await pdfOf([lines(["A page of words."])]));
  expect([response.status, response.body.error]).toEqual([503, "embedding_failed"]);
  expect(other.calls).toEqual([]);
});

test("[S6] messages to the address of a subscriber pass the egress guard", async () => {
  const other = await serve((_request, response) => response.end("{}"));
  const app = await useTestApp({ EGRESS_DENY: "127.0.0.1" });
  const ada = await registerUser(app, "ada");
  const created = await ada.post("/api/event-subscriptions", {
    url: other.url,
    types: ["baton.run.completed"],
  });
  expect(created.status).toBe(201);
  const path = `/api/event-subscriptions/${created.body.subscription.id}`;
  await ada.post(`${path}/test`);
  const deliveries = async () => (await ada.get(`${path}/deliveries`)).body.deliveries;
  await expect.poll(deliveries, { timeout: 20_000 }).toMatchObject([{ status: "failed" }]);
  expect((await deliveries())[0].error).toContain("127.0.0.1");
  expect(other.calls).toEqual([]);
});
