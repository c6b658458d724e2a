import { describe, expect, test } from "vitest";
import type { Engine, RunnableWorkflow, StartTask } from "../engine/engine-api.ts";
import type { Task, TaskStatus } from "../engine/task.ts";
import type { AgentRecord } from "./agent-store.ts";
import { cancelledWork, createAgentTools, type WorkContext } from "./agent-tools.ts";

const context: WorkContext = { ownerId: "user_1", trigger: "team", depth: 0, workKey: "sess_1:agent_1:1" };
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
    capabilities: [],
    systemPrompt: "",
    temperature: null,
    tools,
    createdAt: 0,
    updatedAt: 0,
  };
}

/** An engine at the edge of this part: what was started and cancelled, and how every task ends. */
function engineThat(ends: TaskStatus = "completed") {
  const started: StartTask[] = [];
  const cancelled: string[] = [];
  const engine: Pick<Engine, "start" | "settled" | "cancel"> = {
    start(request) {
      started.push(request);
      return Promise.resolve({ taskId: `task_${started.length}`, status: "running", existing: false });
    },
    settled: (id) => {
      const task = {
        id,
        status: ends,
        result: { output: 42, outputs: {} },
        error: ends === "failed" ? { code: "x", message: "no luck" } : null,
      };
      return Promise.resolve({ task: task as unknown as Task, stepResults: [] });
    },
    cancel(id) {
      cancelled.push(id);
      return Promise.resolve(true);
    },
  };
  return { engine: Promise.resolve(engine), started, cancelled };
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

describe("a workflow as a tool", () => {
  test("has a name that every vendor takes, told apart from others, and is left out once it is deleted", async () => {
    const toolsFor = createAgentTools({ engine: engineThat().engine, workflow });
    const tools = await toolsFor(
      agentWith({ workflows: ["wf_1", "wf_2", "wf_gone", "wf_odd"], documents: [] }),
      context,
    );
    expect(tools.map(({ name }) => name)).toEqual(["run_add_it", "run_add_it_2", "run_n_code_100"]);
  });

  test("starts a task of the owner, one deeper, and gives its id and output", async () => {
    const { engine, started } = engineThat();
    const [tool] = await createAgentTools({ engine, workflow })(
      agentWith({ workflows: ["wf_1"], documents: [] }),
      { ...context, parentTaskId: "task_0", depth: 3 },
    );
    expect(await tool!.execute({ input: { n: 1 } }, going)).toEqual({ taskId: "task_1", output: 42 });
    expect(started).toMatchObject([
      { workflow: { ownerId: "user_1" }, trigger: "team", input: { n: 1 }, parentTaskId: "task_0", depth: 4 },
    ]);
  });

  test("asks for the same task when the work is done again, and for another one when it is called twice", async () => {
    const { engine, started } = engineThat();
    const toolsFor = createAgentTools({ engine, workflow });
    for (const times of [2, 1]) {
      const [tool] = await toolsFor(agentWith({ workflows: ["wf_1"], documents: [] }), context);
      for (let n = 0; n < times; n++) await tool!.execute({ input: { n: 1 } }, going);
    }
    const [first, second, again] = started.map(({ idempotency }) => idempotency);
    expect(again).toEqual(first);
    expect(second).not.toEqual(first);
  });

  test("fails with the task's own reason, and past the depth limit before anything starts", async () => {
    const { engine, started } = engineThat("failed");
    const agent = agentWith({ workflows: ["wf_1"], documents: [] });
    const [tool] = await createAgentTools({ engine, workflow })(agent, context);
    await expect(tool!.execute({ input: {} }, going)).rejects.toMatchObject({
      code: "workflow_failed",
      message: "The workflow was failed: no luck",
    });
    const [deep] = await createAgentTools({ engine, workflow })(agent, { ...context, depth: 20 });
    await expect(deep!.execute({ input: {} }, going)).rejects.toMatchObject({ code: "depth_exceeded" });
    expect(started).toHaveLength(1);
  });

  test("takes its task with it when the work is cancelled, but not when the process merely stops", async () => {
    for (const [reason, count] of [
      [cancelledWork(), 1],
      [undefined, 0],
    ] as const) {
      const { engine, cancelled } = engineThat("running");
      const [tool] = await createAgentTools({ engine, workflow })(
        agentWith({ workflows: ["wf_1"], documents: [] }),
        context,
      );
      expect(await tool!.execute({ input: {} }, AbortSignal.abort(reason))).toMatchObject({
        taskId: "task_1",
        status: "running",
      });
      expect(cancelled).toHaveLength(count);
    }
  });
});

test("documents are asked for the owner, and only those that the agent may ask", async () => {
  const asked: unknown[] = [];
  const toolsFor = createAgentTools({
    engine: engineThat().engine,
    workflow,
    askDocuments(...question) {
      asked.push(question.slice(0, 2));
      return Promise.resolve({ answer: "yes", sources: [] });
    },
  });
  const [tool] = await toolsFor(agentWith({ workflows: [], documents: ["doc_1"] }), context);
  expect(await tool!.execute({ query: "Is it?", documentIds: ["doc_2"] }, going)).toEqual({
    answer: "yes",
    sources: [],
  });
  expect(asked).toEqual([["user_1", { query: "Is it?", documentIds: ["doc_1"] }]]);
  expect(await toolsFor(agentWith({ workflows: [], documents: [] }), context)).toEqual([]);
});
