import { expect, test } from "vitest";
import { edge, transformStep } from "./support/graphs.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";

function longChain(length: number) {
  const ids = Array.from({ length }, (_, i) => `s${i}`);
  return {
    steps: ids.map((id, i) => transformStep(id, i === 0 ? "x" : `{{steps.s${i - 1}.output}}`)),
    edges: ids.slice(1).map((id, i) => edge(`s${i}`, id)),
  };
}

test("a graph of 10,000 steps is stored, read, versioned and exported whole", async () => {
  const app = await useTestApp();
  const alice = await registerUser(app);
  const metadata = longChain(10_000);
  const created = await alice.post("/api/workflows", { name: "Long", metadata });
  expect([created.status, created.body.warnings]).toEqual([201, []]);
  const url = `/api/workflows/${created.body.workflow.id}`;
  expect((await alice.get(url)).body.workflow.metadata).toEqual(metadata);
  expect((await alice.patch(url, { name: "Longer" })).body.workflow.version).toBe(2);
  expect((await alice.get(`${url}/export`)).body.steps).toHaveLength(10_000);
});

test("one step more than the operator allows is 422, and the limit is his to set", async () => {
  const app = await useTestApp({ MAX_STEPS: "5" });
  const alice = await registerUser(app);
  expect((await alice.post("/api/workflows", { name: "Five", metadata: longChain(5) })).status).toBe(201);
  const answer = await alice.post("/api/workflows", { name: "Six", metadata: longChain(6) });
  expect([answer.status, answer.body.error]).toEqual([422, "invalid_workflow"]);
});
