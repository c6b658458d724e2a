import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openLanguageModels } from "../../server/models/open-models.ts";
import { stubModelSettings, useStubModelServer } from "../support/stub-model-server.ts";
import { registerUser, type RegisteredUser, useTestApp } from "../support/test-app.ts";

async function run(user: RegisteredUser, steps: unknown[], edges: unknown[] = [], input: unknown = {}) {
  const created = await user.post("/api/workflows", { name: "Models", metadata: { steps, edges } });
  expect([created.status, created.body.message]).toEqual([201, undefined]);
  const { body } = await user.post(`/api/workflows/${created.body.workflow.id}/run?wait=true`, { input });
  return (await user.get(`/api/tasks/${body.taskId}`)).body.task;
}

test("an llm step runs, with its tokens in the step and summed on the task", async () => {
  const stub = await useStubModelServer();
  stub.answerWith("A summary.", '{"language": "en"}', "Hi.");
  const user = await registerUser(await useTestApp(stubModelSettings(stub)));
  const task = await run(
    user,
    [
      { stepId: "sum", type: "llm", prompt: "Summarise {{input.text}}" },
      {
        stepId: "detect",
        type: "llm",
        prompt: "Which language? {{steps.sum.output}}",
        schema: { type: "object", required: ["language"] },
      },
      {
        stepId: "each",
        type: "foreach",
        items: [1, 2, 3],
        steps: [{ stepId: "greet", type: "llm", prompt: "Greet {{item}}" }],
      },
    ],
    [
      { id: "a", source: "sum", target: "detect" },
      { id: "b", source: "detect", target: "each" },
    ],
    { text: "a long text" },
  );
  expect(task.status).toBe("completed");
  expect(task.stepResults).toMatchObject([
    {
      output: "A summary.",
      model: "openai-compatible/stub-model",
      usage: { inputTokens: 12, outputTokens: 8, totalTokens: 20 },
    },
    { output: { language: "en" }, usage: { totalTokens: 20 } },
    { output: ["Hi.", "Hi.", "Hi."], usage: { totalTokens: 60 } },
  ]);
  expect(task.usage).toEqual({ inputTokens: 60, outputTokens: 40, totalTokens: 100 });
  expect(stub.requests[0]?.body.messages.at(-1)?.content).toBe("Summarise a long text");
});

test("a task without model calls has no usage", async () => {
  const user = await registerUser(await useTestApp());
  expect((await run(user, [{ stepId: "a", type: "transform", template: 1 }])).usage).toBeUndefined();
});

test("without a model the task fails with llm_not_configured and names the settings", async () => {
  const user = await registerUser(await useTestApp());
  const task = await run(user, [{ stepId: "a", type: "llm", prompt: "?", maxRetries: 5 }]);
  expect(task).toMatchObject({ status: "failed", error: { code: "llm_not_configured" } });
  expect(task.stepResults[0]).toMatchObject({
    attempts: 1,
    error: { message: expect.stringContaining("LLM_PROVIDER") },
  });
});

test("[R26] a model that rejects its key fails the task with model_failed, and the key is nowhere", async () => {
  const stub = await useStubModelServer();
  stub.answerWith({ status: 401 });
  const user = await registerUser(await useTestApp(stubModelSettings(stub)));
  const task = await run(user, [{ stepId: "a", type: "llm", prompt: "?" }]);
  expect(task).toMatchObject({
    status: "failed",
    error: { code: "model_failed", message: expect.stringContaining("replace it in the connection") },
  });
  expect(JSON.stringify(task)).not.toContain("sk-stub-key");
});

test("GET /api/models lists the configured models and never a key", async () => {
  const app = await useTestApp({
    LLM_PROVIDER: "openai",
    LLM_API_KEY: "sk-first-secret",
    LLM_MODELS: JSON.stringify([
      { provider: "anthropic", model: "claude-x", apiKey: "sk-second-secret", fallback: true },
      { provider: "ollama", model: "llama3.2" },
    ]),
  });
  const user = await registerUser(app);
  const { status, body, text } = await user.get("/api/models");
  expect([status, body]).toEqual([
    200,
    {
      ok: true,
      models: [
        { provider: "openai", model: expect.any(String), isDefault: true, isFallback: false },
        { provider: "anthropic", model: "claude-x", isDefault: false, isFallback: true },
        { provider: "ollama", model: "llama3.2", isDefault: false, isFallback: false },
      ],
    },
  ]);
  expect(text).not.toContain("secret");
  expect((await app.anonymous.get("/api/models")).status).toBe(401);
  expect((await (await registerUser(await useTestApp())).get("/api/models")).body).toEqual({
    ok: true,
    models: [],
  });
});

test("[S6] a public server reaches the operator's own model on loopback, and a user's step still does not", async () => {
  const stub = await useStubModelServer();
  const user = await registerUser(await useTestApp({ ...stubModelSettings(stub), HOST: "0.0.0.0" }));
  expect(await run(user, [{ stepId: "a", type: "llm", prompt: "?" }])).toMatchObject({ status: "completed" });
  const step = {
    stepId: "a",
    type: "http",
    method: "POST",
    url: `${stub.baseUrl}/chat/completions`,
    body: {},
  };
  expect(await run(user, [step])).toMatchObject({ status: "failed", error: { code: "egress_denied" } });
  expect(stub.requests).toHaveLength(1);
});

async function ask(baseUrl: string, deny: string[] = []) {
  const { models, close } = openLanguageModels({
    models: [{ provider: "openai-compatible", model: "m", apiKey: "sk-1", baseUrl }],
    timeoutMs: 5000,
    allowPrivate: false,
    allow: [],
    deny,
  });
  onTestFinished(close);
  return models.get().generateText({ prompt: "?" });
}

test("[S6] metadata addresses and EGRESS_DENY are blocked for models too", async () => {
  const stub = await useStubModelServer();
  await expect(ask("http://169.254.169.254/v1")).rejects.toMatchObject({ code: "egress_denied" });
  await expect(ask(stub.baseUrl, ["127.0.0.1"])).rejects.toMatchObject({ code: "egress_denied" });
  expect(stub.requests).toEqual([]);
});

test("[S6] a redirect of a model's address is not followed, so the key is not sent on", async () => {
  const inside = await useStubModelServer();
  const redirecting = createServer((_request, response) =>
    response.writeHead(307, { location: `${inside.baseUrl}/chat/completions` }).end(),
  );
  await new Promise<void>((resolve) => redirecting.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void redirecting.close());
  const { port } = redirecting.address() as AddressInfo;
  await expect(ask(`http://127.0.0.1:${port}/v1`)).rejects.toMatchObject({ code: "model_failed" });
  expect(inside.requests).toEqual([]);
});
