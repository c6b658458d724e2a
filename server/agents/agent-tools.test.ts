import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { describe, expect, test } from "vitest";
import type { RunnableWorkflow, StartTask } from "../engine/engine-api.ts";
import type { Task, TaskStatus } from "../engine/tasks/task.ts";
import { notFound } from "../lib/errors.ts";
import type { AgentRecord } from "./agent.sql.ts";
import type { AgentMemory } from "./memory-tools.ts";
import { type AgentToolsDeps, createAgentTools } from "./agent-tools.ts";
import { createToolTasks, type TaskEngine, type WorkContext } from "./tool-task.ts";

const context: WorkContext = {
  ownerId: "user_1",
  trigger: "team",
  depth: 0,
  parent: { taskId: "sess_1", step: "agent_1:1" },
};
const going = new AbortController().signal;

function agentWith(tools: AgentRecord["tools"]): AgentRecord {
  return {
    id: "agent_1",
    ownerId: "user_1",
    name: "Ann",
    description: "",
    role: "",
    provider: null,
    model: null,
    connection: null,
    baseUrl: null,
    capabilities: [],
    systemPrompt: "",
    temperature: null,
    tools,
    limits: {},
    createdAt: 0,
    updatedAt: 0,
  };
}

/** A fake engine that records started and cancelled tasks; every task ends with the given status. */
function engineThat(ends: TaskStatus = "completed", parentStatus: TaskStatus = "running") {
  const started: StartTask[] = [];
  const cancelled: string[] = [];
  const waits: number[] = [];
  const engine: TaskEngine = {
    start(request) {
      started.push(request);
      return Promise.resolve({ taskId: `task_${started.length}`, status: "running", existing: false });
    },
    settled: (id, timeoutMs) => {
      waits.push(timeoutMs);
      const task = {
        id,
        status: ends,
        result: { output: 42, outputs: {} },
        error: ends === "failed" ? { code: "x", message: "no luck" } : null,
      };
      return Promise.resolve({ task: task as unknown as Task, stepResults: [] });
    },
    read: (id) => Promise.resolve({ task: { id, status: parentStatus } as unknown as Task, stepResults: [] }),
    cancel(id) {
      cancelled.push(id);
      return Promise.resolve(true);
    },
  };
  return { engine: () => engine, started, cancelled, waits };
}

const workflow = (ownerId: string, id: string): Promise<RunnableWorkflow | undefined> =>
  Promise.resolve(
    id === "wf_gone"
      ? undefined
      : {
          id,
          ownerId,
          name: id === "wf_odd" ? "Ünïcode: 100 %!" : "Add it",
          version: 1,
          graph: { steps: [], edges: [] },
        },
  );

const readOnly = { title: null, description: "d", inputSchema: { type: "object" }, isReadOnly: true };
const readable: AgentToolsDeps["readable"] = (_ownerId, { documentIds, collectionIds }) =>
  Promise.resolve({ documentIds: documentIds.filter((id) => id !== "doc_gone"), collectionIds });
const apps = { actions: () => Promise.resolve(undefined) };
const mcp = {
  tools: (_ownerId: string, id: string) =>
    id === "mcp_gone"
      ? Promise.reject(notFound("mcp_server"))
      : Promise.resolve({
          name: "Issue tracker",
          tools: ["search issues", "search-issues", "close"].map((name) => ({ name, ...readOnly })),
        }),
};

const kept = new Map<string, JsonValue>();
const idOf = ({ scope, key }: { scope: string; key: string }) => `${scope} ${key}`;
const memory: AgentMemory = {
  get: (place) => Promise.resolve({ found: kept.has(idOf(place)), value: kept.get(idOf(place)) ?? null }),
  set: (place, value) => {
    kept.set(idOf(place), value);
    return Promise.resolve({ scope: place.scope, key: place.key });
  },
  remove: (place) => Promise.resolve({ deleted: kept.delete(idOf(place)) }),
  listScope: (_ownerId, scope) =>
    Promise.resolve({
      items: [...kept]
        .filter(([id]) => id.startsWith(`${scope} `))
        .map(([id, value]) => ({
          scope,
          key: id.slice(scope.length + 1),
          value,
          bytes: 1,
          expiresAt: null,
          updatedAt: "2026-01-01T00:00:00.000Z",
        })),
      nextCursor: null,
    }),
};

describe("the memory of an agent", () => {
  const { signal } = new AbortController();
  const toolsOf = (isOn: boolean) =>
    createAgentTools({ engine: engineThat().engine, workflow, readable, mcp, apps, memory })(
      agentWith({ workflows: [], documents: [], memory: isOn }),
      context,
    );

  test("is two tools, only when it is switched on", async () => {
    expect(await toolsOf(false)).toEqual([]);
    expect((await toolsOf(true)).map(({ name }) => name)).toEqual(["remember", "recall"]);
  });

  test("is kept under the id of the agent, recalled by key or all at once, and forgotten", async () => {
    const [remember, recall] = await toolsOf(true);
    const stored = await remember!.execute({ key: "tea", value: "green" }, signal);
    expect(stored).toEqual({ scope: agentWith({ workflows: [], documents: [] }).id, key: "tea" });
    expect(await recall!.execute({ key: "tea" }, signal)).toEqual({ found: true, value: "green" });
    expect(await recall!.execute({}, signal)).toMatchObject([{ key: "tea", value: "green" }]);
    expect(await remember!.execute({ key: "tea", value: "" }, signal)).toEqual({ deleted: true });
    await expect(remember!.execute({ key: "..", value: "x" }, signal)).rejects.toThrow(
      "The key must be text",
    );
  });
});

test("each conversation of a chat has its own memory, apart from that of the agent", async () => {
  const toolsOf = (conversation?: string) =>
    createAgentTools({ engine: engineThat().engine, workflow, readable, mcp, apps, memory })(
      agentWith({ workflows: [], documents: [], memory: true }),
      { ...context, conversation },
    );
  const recalled = async (conversation?: string) => {
    const [, recall] = await toolsOf(conversation);
    return [await recall!.execute({}, going), await recall!.execute({ key: "name" }, going)];
  };
  const [remember] = await toolsOf("visitor-a");
  await remember!.execute({ key: "name", value: "Ada" }, going);
  expect(await recalled("visitor-a")).toMatchObject([[{ key: "name", value: "Ada" }], { found: true }]);
  expect(await recalled("visitor-b")).toEqual([[], { found: false, value: null }]);
  expect(await recalled()).toEqual([[], { found: false, value: null }]);
});

describe("a workflow as a tool", () => {
  test("has a unique name that every vendor accepts, and is omitted after its deletion", async () => {
    const toolsFor = createAgentTools({ engine: engineThat().engine, workflow, readable, mcp, apps, memory });
    const tools = await toolsFor(
      agentWith({ workflows: ["wf_1", "wf_2", "wf_gone", "wf_odd"], documents: [] }),
      context,
    );
    expect(tools.map(({ name }) => name)).toEqual(["run_add_it", "run_add_it_2", "run_n_code_100"]);
  });

  test("starts a task of the owner, one level deeper, and returns its id and output", async () => {
    const { engine, started } = engineThat();
    const [tool] = await createAgentTools({ engine, workflow, readable, mcp, apps, memory })(
      agentWith({ workflows: ["wf_1"], documents: [] }),
      { ...context, parent: { taskId: "task_0", step: "ask" }, depth: 3 },
    );
    expect(await tool!.execute({ input: { n: 1 } }, going)).toEqual({ taskId: "task_1", output: 42 });
    expect(started).toMatchObject([
      {
        workflow: { ownerId: "user_1" },
        trigger: "team",
        input: { n: 1 },
        parentTaskId: "task_0",
        parentStep: expect.stringMatching(/^ask:/),
        depth: 4,
      },
    ]);
  });

  test("with an input schema has its fields as parameters", async () => {
    const { engine, started } = engineThat();
    const inputSchema = { type: "object" as const, properties: { n: { type: "integer" as const } } };
    const withSchema = async (ownerId: string, id: string) => ({
      ...(await workflow(ownerId, id))!,
      graph: { steps: [], edges: [], inputSchema },
    });
    const agent = agentWith({ workflows: ["wf_1"], documents: [] });
    const [tool] = await createAgentTools({ engine, workflow: withSchema, readable, mcp, apps, memory })(
      agent,
      context,
    );
    expect(tool!.inputSchema).toEqual(inputSchema);
    await tool!.execute({ n: 1 }, going);
    expect(started).toMatchObject([{ input: { n: 1 } }]);
  });

  test("starts the same task when the turn is repeated, and another one for a second call", async () => {
    const { engine, started } = engineThat();
    const toolsFor = createAgentTools({ engine, workflow, readable, mcp, apps, memory });
    for (const times of [2, 1]) {
      const [tool] = await toolsFor(agentWith({ workflows: ["wf_1"], documents: [] }), context);
      for (let n = 0; n < times; n++) await tool!.execute({ input: { n: 1 } }, going);
    }
    const [first, second, again] = started.map(({ parentStep }) => parentStep);
    expect(again).toBe(first);
    expect(second).not.toBe(first);
  });

  test("fails with the task's error, and past the depth limit before any task starts", async () => {
    const { engine, started } = engineThat("failed");
    const agent = agentWith({ workflows: ["wf_1"], documents: [] });
    const [tool] = await createAgentTools({ engine, workflow, readable, mcp, apps, memory })(agent, context);
    await expect(tool!.execute({ input: {} }, going)).rejects.toMatchObject({
      code: "workflow_failed",
      message: "The workflow was failed: no luck",
    });
    const [deep] = await createAgentTools({ engine, workflow, readable, mcp, apps, memory })(agent, {
      ...context,
      depth: 20,
    });
    await expect(deep!.execute({ input: {} }, going)).rejects.toMatchObject({ code: "depth_exceeded" });
    expect(started).toHaveLength(1);
  });

  test("starts no task after an abort, and cancels one that started during a cancellation", async () => {
    for (const [parentStatus, count] of [
      ["cancelled", 1],
      ["running", 0],
    ] as const) {
      const ending = new AbortController();
      const { engine, started, cancelled } = engineThat("running", parentStatus);
      const stopping: TaskEngine = {
        ...engine(),
        async start(request) {
          ending.abort();
          return engine().start(request);
        },
      };
      const toolsFor = createAgentTools({ engine: () => stopping, workflow, readable, mcp, apps, memory });
      const [tool] = await toolsFor(agentWith({ workflows: ["wf_1"], documents: [] }), context);
      await tool!.execute({ input: {} }, ending.signal);
      expect(cancelled).toHaveLength(count);
      await expect(tool!.execute({ input: {} }, ending.signal)).rejects.toThrow("aborted");
      expect(started).toHaveLength(1);
    }
  });
});

test("a question to documents runs as a task of the owner, limited to those of the agent's documents that still exist", async () => {
  const { engine, started } = engineThat();
  const toolsFor = createAgentTools({ engine, workflow, readable, mcp, apps, memory });
  const [tool] = await toolsFor(agentWith({ workflows: [], documents: ["doc_1", "doc_gone"] }), context);
  expect(await toolsFor(agentWith({ workflows: [], documents: ["doc_gone"] }), context)).toEqual([]);
  for (let n = 0; n < 2; n++)
    expect(await tool!.execute({ query: "Is it?", documentIds: ["doc_2"] }, going)).toEqual({
      taskId: `task_${n + 1}`,
      output: 42,
    });
  expect(started[0]).toMatchObject({
    workflow: { id: "ask_documents", ownerId: "user_1", graph: { steps: [{ type: "document_query" }] } },
    trigger: "team",
    input: { query: "Is it?", documentIds: ["doc_1"] },
    parentTaskId: "sess_1",
  });
  expect(started[0]?.parentStep).not.toBe(started[1]?.parentStep);
  const collected = { workflows: [], documents: [], collections: ["col_1"] };
  const [inCollection] = await toolsFor(agentWith(collected), context);
  await inCollection!.execute({ query: "Is it?", collectionIds: ["col_2"] }, going);
  expect(started[2]?.input).toEqual({ query: "Is it?", documentIds: [], collectionIds: ["col_1"] });
  expect(await toolsFor(agentWith({ workflows: [], documents: [] }), context)).toEqual([]);
});

test("a tool of an MCP server runs as a task that names the server, and asks first unless it is allowed", async () => {
  const { engine, started } = engineThat();
  const toolsFor = createAgentTools({ engine, workflow, readable, mcp, apps, memory });
  const agent = (permission?: "allow" | "ask") =>
    agentWith({
      workflows: [],
      documents: [],
      mcp: [
        { server: "mcp_gone" },
        { server: "mcp_1", tools: ["search issues", "search-issues"], permission },
      ],
    });
  const tools = await toolsFor(agent(), context);
  expect(tools.map(({ name, asksFirst }) => [name, asksFirst])).toEqual([
    ["issue_tracker_search_issues", true],
    ["issue_tracker_search_issues_2", true],
  ]);
  await tools[1]!.execute({ query: "open", server: "mcp_2" }, going);
  expect(started[0]).toMatchObject({
    workflow: { id: "call_mcp_tool", ownerId: "user_1" },
    input: { server: "mcp_1", tool: "search-issues", arguments: { query: "open" } },
    parentTaskId: "sess_1",
  });
  expect((await toolsFor(agent("allow"), context)).map(({ asksFirst }) => asksFirst)).toEqual([false, false]);
  // Where nobody watches, a person is asked by an approval only when the agent says so.
  expect(tools[1]).not.toHaveProperty("executeWithApproval");
  const [asking] = await toolsFor(agent("ask"), context);
  await asking!.executeWithApproval!({ query: "open" }, going);
  expect(started[1]).toMatchObject({
    workflow: { id: "call_approved_mcp_tool", ownerId: "user_1" },
    input: { server: "mcp_1", tool: "search issues", arguments: { query: "open" }, agent: "Ann" },
  });
});

test("an undecided approval leaves the agent time within its step, and a note says that the task continues", async () => {
  const { engine, waits } = engineThat("waiting_approval");
  const start = createToolTasks(engine, context);
  const asked = (await workflow("user_1", "wf_1"))!;
  const stepLimitMs = 600_000;
  expect(await start(asked, {}, going, { throughApprovals: true })).toEqual({
    taskId: "task_1",
    status: "waiting_approval",
    note: "The task has not ended yet and continues in the background.",
  });
  expect(waits[0]).toBeLessThan(stepLimitMs);
});
