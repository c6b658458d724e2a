import { beforeEach, expect, onTestFinished, test } from "vitest";
import { openTestDb } from "../../test/support/open-db.ts";
import { createAgentStore } from "../agents/agent.sql.ts";
import { createAgents } from "../agents/agents.ts";
import { systemClock } from "../lib/clock.ts";
import type { Db } from "../storage/db.ts";
import { createRunnableWorkflows } from "../workflows/runnable-workflow.sql.ts";
import { createWorkflowStore } from "../workflows/workflow.sql.ts";
import { createWorkflows } from "../workflows/workflows.ts";
import { createClientCallStore } from "./client-call.sql.ts";
import { type CallRecord, createClientCalls } from "./client-calls.ts";
import { toExposedName } from "./exposed-name.ts";
import { createExposureStore } from "./exposure.sql.ts";
import { createExposures, type Exposures } from "./exposures.ts";

const clock = systemClock;
const [ada, eve] = ["user_ada", "user_eve"];
const graph = (template: string, inputSchema?: Record<string, unknown>) => ({
  steps: [{ stepId: "a", type: "transform", template }],
  edges: [],
  ...(inputSchema && { inputSchema }),
});
let db: Db;
let workflows: ReturnType<typeof createWorkflows>;
let agents: ReturnType<typeof createAgents>;
let exposures: Exposures;

beforeEach(async () => {
  const opened = await openTestDb();
  onTestFinished(opened.close);
  db = opened.db;
  await db.batch(
    [ada, eve].map((id) => ({
      sql: "insert into workspace (id, name, kind, created_at) values ($id, '', 'personal', 0)",
      params: { id },
    })),
  );
  workflows = createWorkflows({ store: createWorkflowStore(db), clock, maxSteps: 100 });
  agents = createAgents({
    requireApp: () => Promise.resolve(),
    store: createAgentStore(db),
    clock,
    requireWorkflow: workflows.get,
    requireDocuments: () => Promise.resolve(),
    requireMcpServer: () => Promise.resolve(),
    requireConnection: () => Promise.resolve(),
  });
  exposures = createExposures({ store: createExposureStore(db, createRunnableWorkflows(db)), clock });
});

async function addWorkflow(name = "Report", metadata = graph("one")): Promise<string> {
  return (await workflows.create(ada, { name, metadata }, ada)).workflow.id;
}

/** Fields that are absent keep their value. */
async function update(id: string, change: Partial<Parameters<typeof workflows.update>[2]>): Promise<void> {
  await workflows.update(ada, id, { metadata: undefined, ...change }, ada);
}

const namesOf = async (protocol: "mcp" | "a2a" | "chat" = "mcp") =>
  (await exposures.list(ada, protocol)).map(({ name }) => name);

test("nothing is exposed until it is switched on, and each protocol has its own switch", async () => {
  const id = await addWorkflow();
  expect(await exposures.list(ada, "mcp")).toEqual([]);
  await exposures.change(ada, "workflow", id, { mcp: true });
  expect(await namesOf("mcp")).toEqual(["report"]);
  expect(await namesOf("chat")).toEqual([]);
  await exposures.change(ada, "workflow", id, { chat: true });
  await exposures.change(ada, "workflow", id, { mcp: false });
  expect([await namesOf("mcp"), await namesOf("chat")]).toEqual([[], ["report"]]);
});

test("a workflow has the input schema and the graph of its live version", async () => {
  const inputSchema = { type: "object", properties: { city: { type: "string" } } };
  const id = await addWorkflow();
  await exposures.change(ada, "workflow", id, { mcp: true });
  expect(await exposures.find(ada, "mcp", "report")).toMatchObject({
    inputSchema: undefined,
    workflow: { id, version: 1 },
  });
  await update(id, { metadata: graph("two", inputSchema), description: "Says two" });
  expect(await exposures.find(ada, "mcp", "report")).toMatchObject({
    title: "Report",
    description: "Says two",
    inputSchema,
    workflow: { id, ownerId: ada, name: "Report", version: 2 },
  });
});

test("a paused, emptied or deleted workflow disappears from every protocol at once", async () => {
  const id = await addWorkflow();
  await exposures.change(ada, "workflow", id, { mcp: true, a2a: true, chat: true });
  const seen = async () => [
    ...(await namesOf("mcp")),
    ...(await namesOf("a2a")),
    ...(await namesOf("chat")),
    ...((await exposures.find(ada, "chat", "report")) === undefined ? [] : ["found"]),
  ];
  expect(await seen()).toEqual(["report", "report", "report", "found"]);
  await update(id, { active: false });
  expect(await seen()).toEqual([]);
  await update(id, { active: true });
  expect(await seen()).toHaveLength(4);
  await update(id, { metadata: { steps: [], edges: [] } });
  expect(await seen()).toEqual([]);
  // A write of another record keeps the switches of this one.
  await exposures.change(ada, "documents", "all", { mcp: false });
  await update(id, { metadata: graph("three") });
  expect(await seen()).toHaveLength(4);
  await workflows.remove(ada, id);
  expect(await seen()).toEqual([]);
});

test("a workflow without a published version cannot be exposed", async () => {
  const id = await addWorkflow("Empty", { steps: [], edges: [] });
  await expect(exposures.change(ada, "workflow", id, { mcp: true })).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("Publish it"),
  });
});

test("names come from the title, stay when it changes, and are unique under concurrent writes", async () => {
  const ids = await Promise.all([1, 2, 3, 4].map(() => addWorkflow("Café report")));
  await Promise.all(ids.map((id) => exposures.change(ada, "workflow", id, { mcp: true })));
  expect(new Set(await namesOf())).toEqual(
    new Set(["cafe-report", "cafe-report-2", "cafe-report-3", "cafe-report-4"]),
  );
  const [first = ""] = ids;
  const before = await exposures.change(ada, "workflow", first, {});
  await update(first, { name: "Something else" });
  expect(await exposures.change(ada, "workflow", first, { chat: true })).toMatchObject({ name: before.name });
});

test("of two records that take the same name at once one gets it and the other is refused", async () => {
  const ids = await Promise.all([addWorkflow("One"), addWorkflow("Two"), addWorkflow("Three")]);
  await Promise.all(ids.map((id) => exposures.change(ada, "workflow", id, { mcp: true })));
  const results = await Promise.allSettled(
    ids.map((id) => exposures.change(ada, "workflow", id, { name: "wanted" })),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const result of results)
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "name_taken" });
  expect((await namesOf()).filter((name) => name === "wanted")).toHaveLength(1);
});

test("a deleted record releases its name", async () => {
  const { id } = await agents.create(ada, { name: "Helper" });
  await exposures.change(ada, "agent", id, { chat: true });
  await agents.remove(ada, id);
  const again = await agents.create(ada, { name: "Helper" });
  expect(await exposures.change(ada, "agent", again.id, { chat: true })).toMatchObject({ name: "helper" });
});

test("another user's record is neither exposed nor found, and names are separate per user", async () => {
  const id = await addWorkflow();
  await exposures.change(ada, "workflow", id, { mcp: true, name: "shared" });
  await expect(exposures.change(eve, "workflow", id, { mcp: true })).rejects.toMatchObject({
    code: "forbidden",
  });
  expect(await exposures.find(eve, "mcp", "shared")).toBeUndefined();
  const { id: own } = await agents.create(eve, { name: "Mine" });
  expect(await exposures.change(eve, "agent", own, { mcp: true, name: "shared" })).toMatchObject({
    name: "shared",
  });
  // A row that names the record of another owner, as no request can create it.
  await db.batch([
    {
      sql: `insert into exposure (owner_id, kind, record_id, mcp, a2a, chat, name, created_at, updated_at)
            values ($eve, 'workflow', $id, 1, 1, 1, 'stolen', 0, 0)`,
      params: { eve, id },
    },
  ]);
  expect((await exposures.list(eve, "mcp")).map(({ name }) => name)).toEqual(["shared"]);
});

test("a kind refuses the protocols it does not speak, and a team stays an A2A agent", async () => {
  await expect(exposures.change(ada, "documents", "all", { chat: true })).rejects.toMatchObject({
    code: "invalid_request",
  });
  expect(await exposures.change(ada, "documents", "all", { mcp: true })).toMatchObject({
    name: "search_documents",
    description: "Search the documents of this account.",
    protocols: ["mcp"],
  });
  await db.batch([
    {
      sql: `insert into team (id, owner_id, name, description, agents, external_agents, topology, limits,
              member_instructions, secret_hash, created_at, updated_at)
            values ('team_1', $ada, 'Desk', '', '[]', '[]', 'sequential', '{}', '{}', '', 0, 0)`,
      params: { ada },
    },
  ]);
  const { items } = await exposures.listAll(ada, { limit: 50, kind: "team" });
  expect(items).toMatchObject([{ name: "desk", a2a: true, mcp: false }]);
  await expect(exposures.change(ada, "team", "team_1", { a2a: false })).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("always an A2A agent"),
  });
});

test("an own description replaces the record's until it is cleared", async () => {
  const { id } = await agents.create(ada, { name: "Helper", description: "Of the agent" });
  expect(await exposures.change(ada, "agent", id, { mcp: true, description: "For clients" })).toMatchObject({
    description: "For clients",
    customDescription: "For clients",
  });
  await exposures.change(ada, "agent", id, { chat: true });
  expect(await exposures.find(ada, "mcp", "helper")).toMatchObject({ description: "For clients" });
  expect(await exposures.change(ada, "agent", id, { description: " " })).toMatchObject({
    description: "Of the agent",
    customDescription: null,
  });
});

test("a name has only letters, digits, - and _, and at most 64 characters", () => {
  expect(toExposedName("  Émile's — Report! ", "workflow")).toBe("emile-s-report");
  expect(toExposedName("日本語", "workflow")).toBe("workflow");
  expect(toExposedName("x".repeat(100), "workflow")).toHaveLength(64);
});

test("calls are listed newest first, of their owner only, and failed writes are repeated", async () => {
  const store = createClientCallStore(db);
  let failures = 1;
  const errors: unknown[] = [];
  const calls = createClientCalls({
    store: {
      ...store,
      insertAll: (rows) => (failures-- > 0 ? Promise.reject(new Error("disk full")) : store.insertAll(rows)),
    },
    clock,
    onFlushError: (error) => errors.push(error),
  });
  const call = (more: Partial<CallRecord> = {}): CallRecord => ({
    ownerId: ada,
    protocol: "mcp",
    method: "tools/call",
    callerName: "Laptop\0 \ud800",
    durationMs: 3.6,
    ...more,
  });
  const record = { kind: "workflow" as const, recordId: "wf_1", name: "report" };
  calls.recordCall(call({ record, taskId: "task_1" }));
  calls.recordCall(call({ protocol: "chat", errorCode: "rate_limited" }));
  calls.recordCall(call({ ownerId: eve }));
  calls.recordCall(call({ ownerId: "user_deleted" }));
  expect((await calls.list(ada, { limit: 10 })).items).toEqual([]);
  expect(errors).toHaveLength(1);

  const { items } = await calls.list(ada, { limit: 10 });
  expect(items).toMatchObject([
    { protocol: "chat", status: "failed", errorCode: "rate_limited", kind: null, taskId: null },
    {
      protocol: "mcp",
      status: "ok",
      errorCode: null,
      kind: "workflow",
      recordId: "wf_1",
      name: "report",
      taskId: "task_1",
      callerName: "Laptop ",
      durationMs: 4,
    },
  ]);
  expect((await calls.list(ada, { limit: 10, protocol: "mcp" })).items).toHaveLength(1);
  expect((await calls.list(eve, { limit: 10 })).items).toHaveLength(1);
  const first = await calls.list(ada, { limit: 1 });
  expect((await calls.list(ada, { limit: 1, cursor: first.nextCursor ?? "" })).items).toMatchObject([
    { protocol: "mcp" },
  ]);
});
