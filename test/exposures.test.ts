import { expect, test } from "vitest";
import { chain } from "./support/graphs.ts";
import { shareApp } from "./support/shared-app.ts";

const { alice } = await shareApp(["alice"]);

test("published workflows, agents, teams and documents are listed with their switches, page by page", async () => {
  const { workflow } = (await alice.post("/api/workflows", { name: "Daily news", metadata: chain("a") }))
    .body;
  await alice.post("/api/workflows", { name: "Not published" });
  const { agent } = (await alice.post("/api/agents", { name: "Helper" })).body;
  const { team } = (await alice.post("/api/agent-teams", { name: "Desk" })).body;
  const changed = await alice.put(`/api/exposures/workflow/${workflow.id}`, {
    mcp: true,
    description: "News",
  });
  expect(changed.body).toMatchObject({
    ok: true,
    exposure: {
      kind: "workflow",
      name: "daily-news",
      mcp: true,
      a2a: false,
      chat: false,
      description: "News",
    },
  });
  expect((await alice.get(`/api/exposures/workflow/${workflow.id}`)).body).toEqual(changed.body);
  await alice.patch(`/api/workflows/${workflow.id}`, { active: false });

  const { exposures } = (await alice.get("/api/exposures")).body;
  expect(exposures).toMatchObject([
    { recordId: workflow.id, title: "Daily news", mcp: true, paused: true },
    { recordId: team.id, a2a: true, mcp: false },
    { kind: "documents", recordId: "all", mcp: false },
    { recordId: agent.id, name: "helper", protocols: ["mcp", "chat"] },
  ]);
  const first = (await alice.get("/api/exposures?limit=3")).body;
  expect(first.exposures).toHaveLength(3);
  const rest = (await alice.get(`/api/exposures?limit=3&cursor=${first.nextCursor}`)).body;
  expect([...first.exposures, ...rest.exposures]).toEqual(exposures);
  expect((await alice.get("/api/exposures?kind=agent")).body.exposures).toHaveLength(1);
});

test("a name that another record has is 409, and one with other characters is 400", async () => {
  const created = await Promise.all(["A", "B"].map((name) => alice.post("/api/agents", { name })));
  const [first, second] = created.map(({ body }) => `/api/exposures/agent/${body.agent.id}`);
  expect((await alice.put(`${first}`, { name: "assistant", chat: true })).status).toBe(200);
  const taken = await alice.put(`${second}`, { name: "assistant" });
  expect([taken.status, taken.body.error]).toEqual([409, "name_taken"]);
  for (const name of ["Assistant", "my tool", "", "x".repeat(65)])
    expect((await alice.put(`${second}`, { name })).status).toBe(400);
  expect((await alice.put("/api/exposures/connection/all", { mcp: true })).status).toBe(400);
  expect((await alice.put("/api/exposures/documents/some", { mcp: true })).status).toBe(404);
});

test("the list of client calls is empty at first, and takes a protocol", async () => {
  expect((await alice.get("/api/client-calls?protocol=mcp")).body).toEqual({
    ok: true,
    calls: [],
    nextCursor: null,
  });
  expect((await alice.get("/api/client-calls?protocol=smtp")).status).toBe(400);
});
