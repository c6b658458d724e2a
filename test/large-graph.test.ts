import { expect, test } from "vitest";
import { clientOf } from "./support/client.ts";
import { edge, transformStep } from "./support/graphs.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";

function longChain(length: number) {
  const ids = Array.from({ length }, (_, i) => `s${i}`);
  return {
    steps: ids.map((id, i) => transformStep(id, i === 0 ? "x" : `{{steps.s${i - 1}.output}}`)),
    edges: ids.slice(1).map((id, i) => edge(`s${i}`, id)),
  };
}

test("a graph of 10,000 steps is stored, read, versioned, exported and imported whole", async () => {
  const app = await useTestApp();
  const alice = await registerUser(app);
  const metadata = longChain(10_000);
  const created = await alice.post("/api/workflows", { name: "Long", metadata });
  expect([created.status, created.body.warnings]).toEqual([201, []]);
  const url = `/api/workflows/${created.body.workflow.id}`;
  // Compared as text: `toEqual` takes as long as the service.
  expect(JSON.stringify((await alice.get(url)).body.workflow.metadata)).toBe(JSON.stringify(metadata));
  expect((await alice.patch(url, { name: "Longer" })).body.workflow.version).toBe(2);
  const exported = await alice.get(`${url}/export`);
  expect(exported.body.steps).toHaveLength(10_000);
  expect(exported.text.length).toBeGreaterThan(2 * 1024 * 1024);
  const registered = await alice.post("/api/templates", exported.text);
  expect(registered.status).toBe(201);
  const imported = (await alice.post(`/api/templates/import/${registered.body.template.id}`)).body.workflow;
  expect([imported.version, imported.name]).toEqual([3, "Longer"]);
  expect(JSON.stringify(imported.metadata)).toBe(JSON.stringify(metadata));
});

test("a graph with more steps than MAX_STEPS is 422", async () => {
  const app = await useTestApp({ MAX_STEPS: "5" });
  const alice = await registerUser(app);
  expect((await alice.post("/api/workflows", { name: "Five", metadata: longChain(5) })).status).toBe(201);
  const response = await alice.post("/api/workflows", { name: "Six", metadata: longChain(6) });
  expect([response.status, response.body.error]).toEqual([422, "invalid_workflow"]);
});

test("a graph that exceeds a lowered limit can be renamed and disabled, but not saved", async () => {
  const before = await useTestApp();
  const { email, password, ...owner } = await registerUser(before);
  const given = { name: "Six", metadata: longChain(6), apiSettings: { enabled: true } };
  const url = `/api/workflows/${(await owner.post("/api/workflows", given)).body.workflow.id}`;
  await before.stop();
  const app = await useTestApp({ MAX_STEPS: "5" }, { dataDir: before.dataDir });
  const { token } = (await app.anonymous.post("/api/auth/login", { email, password })).body;
  const alice = clientOf(app.http, token);
  const off = await alice.patch(url, { name: "Off", apiSettings: { enabled: false } });
  expect(off).toMatchObject({ status: 200, body: { workflow: { apiSettings: { enabled: false } } } });
  expect((await alice.patch(url, { metadata: longChain(6) })).status).toBe(422);
});

test("an export contains the newest versions up to the size limit", async () => {
  const app = await useTestApp();
  const alice = await registerUser(app);
  const graphOf = (i: number) => ({
    steps: [{ stepId: "a", type: "transform", template: `${i} ${"x".repeat(1_900_000)}` }],
    edges: [],
  });
  const { workflow } = (await alice.post("/api/workflows", { name: "Long history", metadata: graphOf(1) }))
    .body;
  for (let i = 2; i <= 18; i++) {
    const { status } = await alice.patch(`/api/workflows/${workflow.id}`, { metadata: graphOf(i) });
    expect(status).toBe(200);
  }
  const { versions } = (await alice.get(`/api/workflows/${workflow.id}/export`)).body;
  const numbers = versions.map(({ version }: { version: number }) => version);
  expect(numbers).toEqual(Array.from({ length: 16 }, (_, i) => i + 3));
});

test("a template cannot bypass the graph limit, in its current or an older version", async () => {
  const app = await useTestApp();
  const alice = await registerUser(app);
  const huge = { steps: [transformStep("a", "x".repeat(2 * 1024 * 1024))], edges: [] };
  const versions = [{ version: 1, name: "Old", createdAt: "2026-01-01T00:00:00Z", metadata: huge }];
  for (const file of [huge, { metadata: huge }, { steps: [], versions }]) {
    const { status, body } = await alice.post("/api/templates", { name: "Huge", ...file });
    expect([status, body.error]).toEqual([413, "payload_too_large"]);
  }
});
