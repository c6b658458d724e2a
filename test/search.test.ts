import { expect, test } from "vitest";
import { upload } from "./documents/upload.ts";
import { lines, pdfOf } from "./support/pdf.ts";
import { shareApp } from "./support/shared-app.ts";
import { addTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

const { app, ada, bob } = await shareApp(["ada", "bob"]);

const metadata = (name: string) => ({
  steps: [
    {
      stepId: "each",
      type: "foreach",
      items: [1],
      steps: [{ stepId: name, type: "transform", template: "x" }],
    },
  ],
  edges: [],
});

async function create(fields: { name: string } & Record<string, unknown>, user = ada): Promise<string> {
  return (await user.post("/api/workflows", fields)).body.workflow.id;
}

async function find(q: string, { types = "", user = ada, limit = 20 } = {}): Promise<any[]> {
  const query = new URLSearchParams({ q, types, limit: String(limit) });
  const { status, body } = await user.get(`/api/search?${query}`);
  expect(status).toBe(200);
  return body.results;
}

test("a workflow is found by name, folder, tag, description and the names of its steps, also inside loops", async () => {
  const id = await create({
    name: "Quarterly bookkeeping",
    description: "Sums up the ledger",
    folder: "Finance/Europe",
    tags: ["Steuer"],
    metadata: metadata("reconcile_accounts"),
  });
  const found = async (q: string) =>
    (await find(q)).map((result) => [result.type, result.id, result.matched]);
  expect(await found("quarterly")).toEqual([["workflow", id, "name"]]);
  expect(await found("book quart")).toEqual([["workflow", id, "name"]]);
  expect(await found("bokkeeping")).toEqual([["workflow", id, "name"]]);
  expect(await found("finance/eur")).toEqual([["workflow", id, "folder"]]);
  expect(await found("steuer")).toEqual([["workflow", id, "tag"]]);
  expect(await found("reconcile_a")).toEqual([["workflow", id, "step"]]);
  expect(await found("ledger")).toEqual([["workflow", id, "description"]]);
  expect(await find("finance/eur")).toMatchObject([
    { title: "Quarterly bookkeeping", excerpt: "Finance/Europe" },
  ]);
});

test("a change of a workflow, its folder or its draft name is found at once, and a deleted one is not", async () => {
  const id = await create({ name: "Zebra import" });
  const ids = async (q: string) => (await find(q)).map((result) => result.id);
  expect(await ids("zebra")).toEqual([id]);
  await ada.put(`/api/workflows/${id}/draft`, {
    name: "Giraffe import",
    description: "",
    metadata: metadata("a"),
  });
  expect(await ids("giraffe")).toEqual([id]);
  expect(await ids("zebra")).toEqual([]);
  await ada.patch(`/api/workflows/${id}`, { name: "Okapi import", folder: "Savanna" });
  expect(await ids("okapi")).toEqual([id]);
  await ada.post("/api/workflows/folders/rename", { from: "Savanna", to: "Steppe" });
  expect(await ids("steppe")).toEqual([id]);
  await ada.call(`/api/workflows/${id}`, { method: "DELETE" });
  expect(await ids("okapi")).toEqual([]);
});

test("no record of another workspace is found", async () => {
  await create({ name: "Walrus" }, bob);
  await bob.post("/api/agents", { name: "Walrus agent" });
  expect(await find("walrus")).toEqual([]);
  expect(await find("walrus", { user: bob })).toHaveLength(2);
});

test("agents, teams and connections are found by name; types and limit bound the results", async () => {
  await ada.post("/api/agents", { name: "Falcon agent", description: "Reads mail" });
  await ada.post("/api/agent-teams", { name: "Falcon team" });
  await ada.post("/api/connections", {
    kind: "bearer",
    name: "Falcon key",
    secrets: { token: "falcon-hush" },
    hosts: ["example.com"],
  });
  await create({ name: "Falcon" });
  const types = (await find("falcon")).map(({ type }) => type);
  expect(types[0]).toBe("workflow");
  expect(types.toSorted()).toEqual(["agent", "connection", "team", "workflow"]);
  expect(await find("falcon", { types: "team,agent" })).toHaveLength(2);
  expect(await find("falcon", { limit: 1 })).toHaveLength(1);
  expect(JSON.stringify(await find("falcon"))).not.toContain("falcon-hush");
  expect(await find("falcon-hush")).toEqual([]);
});

test("a team workspace is searched by its members, and only builders find connections", async () => {
  const id = await addTeamWorkspace(app, [
    [ada, "builder"],
    [bob, "viewer"],
  ]);
  const [builder, viewer] = [inWorkspace(ada, id), inWorkspace(bob, id)];
  await create({ name: "Heron" }, builder);
  await builder.post("/api/connections", {
    kind: "bearer",
    name: "Heron key",
    secrets: { token: "hush-hush" },
    hosts: ["example.com"],
  });
  const types = async (user: typeof ada) => (await find("heron", { user })).map(({ type }) => type);
  expect(await types(builder)).toEqual(["workflow", "connection"]);
  expect(await types(viewer)).toEqual(["workflow"]);
  expect(await find("heron")).toEqual([]);
});

test("a run is found by its id, its short number, its workflow, its error and its input", async () => {
  const steps = [{ stepId: "boom", type: "code", code: "throw new Error('Kaffeemaschine kaputt')" }];
  const id = await create({ name: "Barista", metadata: { steps, edges: [] } });
  const { taskId } = (
    await ada.post(`/api/workflows/${id}/run?wait=true`, { input: { order: "注文番号七" } })
  ).body;
  const runs = async (q: string) => (await find(q, { types: "run" })).map((run) => [run.id, run.matched]);
  expect(await runs(taskId)).toEqual([[taskId, "id"]]);
  expect(await runs(taskId.slice(0, -3))).toEqual([[taskId, "id"]]);
  expect(await runs(`#${taskId.slice(-6)}`)).toEqual([[taskId, "id"]]);
  expect(await runs("kaffeemaschine")).toEqual([[taskId, "error"]]);
  expect(await runs("barist")).toEqual([[taskId, "workflow"]]);
  expect(await runs("注文番号")).toEqual([[taskId, "input"]]);
  expect(await find("kaffeemaschine")).toMatchObject([{ title: "Barista", status: "failed", type: "run" }]);
});

test("a document is found by title, tags and text, and its tags can change", async () => {
  const pdf = await pdfOf([lines(["Front page"]), lines(["The pelican counts forty eggs."])]);
  const { body } = await upload(ada, pdf, { metadata: { title: "Bird notes", tags: ["ornithology"] } });
  const id = body.document_id;
  expect(await find("bird no")).toMatchObject([
    { type: "document", id, matched: "name", title: "Bird notes" },
  ]);
  expect(await find("ornitho")).toMatchObject([{ id, matched: "tag" }]);
  expect(await find("pelican eggs")).toMatchObject([{ id, matched: "text", page: 2 }]);
  expect(await find("pelican penguin")).toEqual([]);

  const changed = await ada.patch(`/api/v1/documents/${id}`, { tags: [" Zoo ", "Zoo"] });
  expect(changed).toMatchObject({ status: 200, body: { tags: ["Zoo"], metadata: { title: "Bird notes" } } });
  expect(await find("zoo", { types: "document" })).toMatchObject([{ id, matched: "tag" }]);
  expect(await find("ornitho")).toEqual([]);
  const listed = async (tag: string) => (await ada.get(`/api/v1/documents?tag=${tag}`)).body.documents.length;
  expect([await listed("Zoo"), await listed("ornithology")]).toEqual([1, 0]);
  expect((await bob.patch(`/api/v1/documents/${id}`, { tags: [] })).status).toBe(403);
});

test("an empty search finds nothing, and an unknown type is 400", async () => {
  expect(await find("  ")).toEqual([]);
  expect((await ada.get("/api/search?q=x&types=secret")).status).toBe(400);
  expect((await app.anonymous.get("/api/search?q=x")).status).toBe(401);
});
