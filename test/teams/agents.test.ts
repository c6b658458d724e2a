import { describe, expect, onTestFinished, test } from "vitest";
import { upload } from "../documents/upload.ts";
import { startWordEmbeddings } from "../documents/word-embeddings.ts";
import { lines, pdfOf } from "../support/pdf.ts";
import { registerUser, useTestApp } from "../support/test-app.ts";
import { until, useTeamApp } from "./team-app.ts";

const doubling = {
  name: "Double it",
  metadata: { steps: [{ stepId: "twice", type: "transform", expression: "input.n * 2" }], edges: [] },
};

describe("an agent", () => {
  test("is registered, read, changed, listed and deleted", async () => {
    const ada = await registerUser(await useTestApp());
    const { status, body } = await ada.post("/api/agents", {
      name: "Ann",
      capabilities: ["research"],
      temperature: 0.2,
    });
    expect(status).toBe(201);
    expect(body.agent).toEqual({
      id: expect.stringMatching(/^agent_/),
      baseUrl: null,
      connection: null,
      name: "Ann",
      description: "",
      role: "",
      provider: null,
      model: null,
      capabilities: ["research"],
      systemPrompt: "",
      temperature: 0.2,
      tools: { workflows: [], documents: [] },
      limits: {},
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const url = `/api/agents/${body.agent.id}`;
    expect((await ada.put(url, { role: "researcher" })).body.agent).toMatchObject({
      name: "Ann",
      role: "researcher",
      temperature: 0.2,
    });
    expect((await ada.patch(url, { temperature: null })).body.agent).toMatchObject({
      role: "researcher",
      temperature: null,
    });
    expect((await ada.get("/api/agents")).body).toMatchObject({
      agents: [{ id: body.agent.id }],
      nextCursor: null,
    });
    expect((await ada.delete(url)).body).toEqual({ ok: true });
    expect((await ada.get(url)).body.error).toBe("agent_not_found");
  });

  test("cannot have another user's workflow as a tool", async () => {
    const app = await useTestApp();
    const [ada, eve] = [await registerUser(app, "ada"), await registerUser(app, "eve")];
    const foreign = (await ada.post("/api/workflows", doubling)).body.workflow.id;
    expect((await eve.post("/api/agents", { name: "Spy", tools: { workflows: [foreign] } })).body.error).toBe(
      "forbidden",
    );
    expect(
      (await eve.post("/api/agents", { name: "Spy", tools: { workflows: ["wf_none"] } })).body.error,
    ).toBe("workflow_not_found");
    const collectionId = (await ada.post("/api/v1/collections", { name: "Pumps" })).body.collection_id;
    for (const [tools, error] of [
      [{ documents: ["doc_none"] }, "document_not_found"],
      [{ collections: [collectionId] }, "collection_not_found"],
    ] as const)
      expect((await eve.post("/api/agents", { name: "Spy", tools })).body.error).toBe(error);
    expect(
      (await ada.post("/api/agents", { name: "Ann", tools: { collections: [collectionId] } })).status,
    ).toBe(201);
  });

  test("keeps a tool that was deleted, so that its other tools can be changed", async () => {
    const { ada, stub } = await useTeamApp();
    const [deleted, other] = await Promise.all(
      [1, 2].map(async () => (await ada.post("/api/workflows", doubling)).body.workflow.id as string),
    );
    const { server } = (await ada.post("/api/mcp-servers", { name: "Docs", url: `${stub.baseUrl}/mcp` }))
      .body;
    const mcp = [{ server: server.id }];
    const { agent } = (await ada.post("/api/agents", { name: "Ann", tools: { workflows: [deleted], mcp } }))
      .body;
    await ada.delete(`/api/workflows/${deleted}`);
    await ada.delete(`/api/mcp-servers/${server.id}`);
    const url = `/api/agents/${agent.id}`;
    const tools = { ...agent.tools, workflows: [deleted, other] };
    expect((await ada.patch(url, { tools })).body.agent?.tools).toEqual(tools);
    expect((await ada.patch(url, { tools: { workflows: [other] } })).status).toBe(200);
    expect((await ada.patch(url, { tools })).body.error).toBe("workflow_not_found");
  });

  test("keeps the connection of its model when it was deleted", async () => {
    const { ada } = await useTeamApp();
    const given = {
      kind: "bearer",
      name: "Model",
      secrets: { token: "hush-hush" },
      hosts: ["model.example"],
    };
    const { connection } = (await ada.post("/api/connections", given)).body;
    const model = { provider: "openai", connection: connection.id };
    const { agent } = (await ada.post("/api/agents", { name: "Ann", ...model })).body;
    await ada.delete(`/api/connections/${connection.id}?force=true`);
    const url = `/api/agents/${agent.id}`;
    expect((await ada.patch(url, { name: "Anna", ...model })).body.agent?.name).toBe("Anna");
    expect((await ada.post("/api/agents", { name: "Ann", ...model })).body.error).toBe(
      "connection_not_found",
    );
  });

  test("searches the collections that are left, and has no such tool without any", async () => {
    const { ada, stub } = await useTeamApp();
    const add = async (name: string): Promise<string> =>
      (await ada.post("/api/v1/collections", { name })).body.collection_id;
    const [first, second] = [await add("First"), await add("Second")];
    const tools = { collections: [first, second] };
    const { agent } = (await ada.post("/api/agents", { name: "Ann", tools })).body;
    for (const id of [first, second]) {
      await ada.delete(`/api/v1/collections/${id}`);
      stub.answerWith("Done.");
      expect((await ada.post(`/api/agents/${agent.id}/run`, { input: "Go" })).body.output).toBe("Done.");
    }
    const named = stub.requests.map(({ body }) => (body.tools ?? []).map((tool) => tool.function.name));
    expect(named).toEqual([["ask_documents"], []]);
  });

  test("answers under its own instructions and returns its token usage", async () => {
    const { ada, stub } = await useTeamApp();
    stub.answerWith("Paris.");
    const { agent } = (
      await ada.post("/api/agents", { name: "Ann", systemPrompt: "Answer in one word.", role: "guide" })
    ).body;
    const { status, body } = await ada.post(`/api/agents/${agent.id}/run`, {
      input: { question: "Capital of France?" },
    });
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        output: "Paris.",
        model: "openai-compatible/stub-model",
        usage: { inputTokens: 12, outputTokens: 8, totalTokens: 20 },
      },
    ]);
    expect(stub.requests[0]?.body.messages).toMatchObject([
      { role: "system", content: expect.stringMatching(/^Answer in one word\..*You are Ann, guide\./s) },
      { role: "user", content: '{"question":"Capital of France?"}' },
    ]);
  });

  test("runs its workflows as tasks of its owner, and is stopped if it never answers", async () => {
    const { ada, stub } = await useTeamApp();
    const workflowId = (await ada.post("/api/workflows", doubling)).body.workflow.id;
    const { agent } = (await ada.post("/api/agents", { name: "Ann", tools: { workflows: [workflowId] } }))
      .body;
    stub.answerWith({ toolCalls: [{ name: "run_double_it", arguments: { input: { n: 21 } } }] }, "42.");
    expect((await ada.post(`/api/agents/${agent.id}/run`, { input: "Twice 21?" })).body.output).toBe("42.");
    const { tasks } = (await ada.get(`/api/tasks?workflowId=${workflowId}`)).body;
    expect(tasks).toMatchObject([{ status: "completed", trigger: "manual" }]);
    stub.answerWith({ toolCalls: [{ name: "run_double_it", arguments: { input: { n: 1 } } }] });
    const endless = await ada.post(`/api/agents/${agent.id}/run`, { input: "Go on" });
    expect([endless.status, endless.body.error]).toEqual([422, "agent_stopped"]);
    expect(stub.requests.length).toBeLessThan(20);
  });

  test("without a model names the missing setting", async () => {
    const ada = await registerUser(await useTestApp());
    const { agent } = (await ada.post("/api/agents", { name: "Ann" })).body;
    expect((await ada.post(`/api/agents/${agent.id}/run`, { input: "Hello" })).body).toMatchObject({
      ok: false,
      error: "llm_not_configured",
      message: expect.stringContaining("LLM_PROVIDER"),
    });
    expect((await ada.post(`/api/agents/${agent.id}/run`, {})).body.error).toBe("invalid_request");
  });
});

describe("the agent step", () => {
  async function runStep(service: Awaited<ReturnType<typeof useTeamApp>>, step: Record<string, unknown>) {
    const { ada } = service;
    const { body } = await ada.post("/api/workflows", {
      name: "Asks",
      metadata: { steps: [{ stepId: "ask", type: "agent", ...step }], edges: [] },
    });
    const { taskId } = (
      await ada.post(`/api/workflows/${body.workflow.id}/run?wait=true`, { input: { topic: "bees" } })
    ).body;
    return (await ada.get(`/api/tasks/${taskId}`)).body.task;
  }

  test("calls an agent by its id or by a capability, and records the token usage", async () => {
    const service = await useTeamApp();
    const { agent } = (
      await service.ada.post("/api/agents", { name: "Ann", role: "sage", capabilities: ["Research"] })
    ).body;
    service.stub.answerWith("They fly.");
    for (const choice of [{ agentId: agent.id }, { capability: "research" }]) {
      const task = await runStep(service, { ...choice, input: "Tell me about {{input.topic}}" });
      expect(task).toMatchObject({ status: "completed", result: { output: "They fly." } });
      expect(task.stepResults[0]).toMatchObject({ agentId: agent.id, usage: { totalTokens: 20 } });
    }
    expect(service.stub.requests[0]?.body.messages.at(-1)?.content).toContain("bees");
  });

  test("[S20] receives no secret of its owner, since its tools' tasks are stored", async () => {
    const service = await useTeamApp();
    const { agent } = (await service.ada.post("/api/agents", { name: "Ann" })).body;
    await service.ada.put("/api/variables/pin", { value: "hunter2-4711", secret: true });
    const task = await runStep(service, { agentId: agent.id, input: "The pin is {{secrets.pin}}" });
    expect(task.status).toBe("completed");
    const prompts = JSON.stringify(service.stub.requests);
    expect(prompts).toContain("The pin is •••");
    expect(prompts).not.toContain("hunter2");
  });

  test("fails with the reason if the agent does not exist or belongs to another user", async () => {
    const service = await useTeamApp();
    const eve = await registerUser(service.app, "eve");
    const foreign = (await eve.post("/api/agents", { name: "Foreign", capabilities: ["spying"] })).body.agent
      .id;
    expect((await runStep(service, { agentId: "agent_none", input: "x" })).error.code).toBe(
      "agent_not_found",
    );
    expect((await runStep(service, { agentId: foreign, input: "x" })).error.code).toBe("forbidden");
    expect((await runStep(service, { capability: "spying", input: "x" })).error.code).toBe("agent_not_found");
  });

  test("cancels the tasks of the agent's tools when its own task is cancelled", async () => {
    const { ada, stub } = await useTeamApp();
    const make = async (name: string, step: object): Promise<string> =>
      (
        await ada.post("/api/workflows", {
          name,
          metadata: { steps: [{ stepId: "only", ...step }], edges: [] },
        })
      ).body.workflow.id;
    const waiting = await make("Wait", { type: "approval", message: "Go on?" });
    const { agent } = (await ada.post("/api/agents", { name: "Ann", tools: { workflows: [waiting] } })).body;
    const asking = await make("Ask", { type: "agent", agentId: agent.id, input: "Go" });
    // The tool reports that a user has to decide; the agent continues.
    stub.answerWith({ toolCalls: [{ name: "run_wait", arguments: { input: {} } }] }, { hang: true });
    const { taskId } = (await ada.post(`/api/workflows/${asking}/run`, {})).body;
    const started = () => ada.get(`/api/tasks?workflowId=${waiting}`).then(({ body }) => body.tasks);
    await until(
      () => stub.requests.length,
      (count) => count === 2,
    );
    const [tool] = await started();
    expect(tool).toMatchObject({ status: "waiting_approval", parentTaskId: taskId, trigger: "workflow" });
    await ada.post(`/api/tasks/${taskId}/cancel`);
    expect(await started()).toMatchObject([{ id: tool.id, status: "cancelled" }]);
  });

  test("queries documents by a subtask, which a retry finds again", async () => {
    const embeddings = await startWordEmbeddings();
    onTestFinished(() => embeddings.close());
    const { ada, stub } = await useTeamApp(embeddings.settings);
    const { body: uploaded } = await upload(ada, await pdfOf([lines(["The safe opens with 4711."])]));
    const { agent } = (
      await ada.post("/api/agents", { name: "Ann", tools: { documents: [uploaded.document_id] } })
    ).body;
    const steps = [{ stepId: "ask", type: "agent", agentId: agent.id, input: "Go" }];
    const workflowId = (await ada.post("/api/workflows", { name: "Asks", metadata: { steps, edges: [] } }))
      .body.workflow.id;
    const asks = {
      toolCalls: [{ name: "ask_documents", arguments: { query: "What opens the safe?" } }],
    };
    stub.answerWith((request) => {
      // The document query asks the model as well.
      if (request.tools === undefined) return "It opens with 4711 [1].";
      if (request.messages.at(-1)?.role !== "tool") return asks;
      return stub.requests.length > 3 ? "4711 opens it." : { status: 400 };
    });
    const { body } = await ada.post(`/api/workflows/${workflowId}/run?wait=true`, {});
    expect(body.error).toBe("execution_failed");
    await ada.post(`/api/tasks/${body.taskId}/rerun-from-failed`);
    await until(
      () => ada.get(`/api/tasks/${body.taskId}`),
      (answer) => answer.body.task.result?.output === "4711 opens it.",
    );
    const { tasks } = (await ada.get("/api/tasks?workflowId=ask_documents")).body;
    expect(tasks).toMatchObject([{ status: "completed", parentTaskId: body.taskId, trigger: "workflow" }]);
    const { task } = (await ada.get(`/api/tasks/${tasks[0].id}`)).body;
    expect(task.result.output.sources).toMatchObject([{ documentId: uploaded.document_id, page: 1 }]);
    expect(task.stepResults).toMatchObject([{ stepId: "ask", type: "document_query" }]);
  });

  test("starts tool tasks as subtasks one level deeper, and a recursive agent stops at the depth limit", async () => {
    const service = await useTeamApp();
    const { ada, stub } = service;
    const { agent } = (await ada.post("/api/agents", { name: "Ann" })).body;
    const steps = [{ stepId: "ask", type: "agent", agentId: agent.id, input: "Go" }];
    const workflowId = (await ada.post("/api/workflows", { name: "Loop", metadata: { steps, edges: [] } }))
      .body.workflow.id;
    await ada.patch(`/api/agents/${agent.id}`, { tools: { workflows: [workflowId] } });
    stub.answerWith((request) =>
      request.messages.at(-1)?.role === "tool"
        ? "enough"
        : { toolCalls: [{ name: "run_loop", arguments: { input: {} } }] },
    );
    const { body } = await ada.post(`/api/workflows/${workflowId}/run?wait=true`, {});
    expect(body.status).toBe("completed");
    const { tasks } = (await ada.get(`/api/tasks?workflowId=${workflowId}&limit=200`)).body;
    expect(tasks).toHaveLength(21);
    const started = tasks.filter(
      ({ parentTaskId }: { parentTaskId?: string }) => parentTaskId === body.taskId,
    );
    expect(started).toMatchObject([{ trigger: "workflow" }]);
    const { task } = (await ada.get(`/api/tasks/${body.taskId}`)).body;
    expect(task.stepResults[0].toolCalls).toEqual([
      {
        name: "run_loop",
        input: { input: {} },
        output: { taskId: started[0].id, output: "enough" },
        failed: false,
        taskId: started[0].id,
      },
    ]);
  });
});
