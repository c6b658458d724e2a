import { expect, test } from "vitest";
import { createLanguageModels } from "../../server/models/configured-models.ts";
import type { ModelSettings } from "../../server/models/model-settings.ts";
import {
  stubModelSettings,
  type StubAnswer,
  type StubModelServer,
  useStubModelServer,
} from "../support/stub-model-server.ts";
import { registerUser, useTestApp } from "../support/test-app.ts";
import { run, stepOf } from "../../server/engine/testing/workbench.ts";

const MAIN = "openai-compatible/stub-model";
const SPARE = "ollama/spare";
const prices = {
  currency: "EUR",
  models: { [MAIN]: { input: 1_000_000, output: 0 }, [SPARE]: { input: 0, output: 1_000_000 } },
};
/** Every answer of the stub: 12 tokens in, 8 out. */
const mainCost = { amount: 12, currency: "EUR" };

function modelsAt(stub: StubModelServer, spare?: StubModelServer) {
  const main: ModelSettings = {
    provider: "openai-compatible",
    model: "stub-model",
    apiKey: "k",
    baseUrl: stub.baseUrl,
  };
  const others: ModelSettings[] =
    spare === undefined
      ? []
      : [{ provider: "ollama", model: "spare", baseUrl: spare.baseUrl, fallback: true }];
  return createLanguageModels([main, ...others], fetch, prices).get();
}

const truncated: StubAnswer = { text: "Once", finishReason: "length" };
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => "no failure",
    (error: unknown) => error,
  );

test("the answer names the model that gave it, and counts the tokens of the one that failed", async () => {
  const [stub, spare] = [await useStubModelServer(), await useStubModelServer()];
  stub.answerWith(truncated);
  spare.answerWith("Hello.", '{"a": 1}');
  const model = modelsAt(stub, spare);
  const expected = {
    answeredBy: SPARE,
    usage: { inputTokens: 24, outputTokens: 16, totalTokens: 40, cost: { amount: 20, currency: "EUR" } },
  };
  expect(await model.generateText({ prompt: "?" })).toMatchObject({ text: "Hello.", ...expected });
  expect(await model.generateObject({ prompt: "?", schema: { type: "object" } })).toMatchObject(expected);
});

test.each<[string, StubAnswer, string]>([
  ["truncated", truncated, "truncated"],
  ["refused", { text: "No.", finishReason: "content_filter" }, "refused"],
  ["empty", { text: "" }, "invalid_output"],
])("a %s answer fails with its tokens, its cost and its reason", async (_what, answer, reason) => {
  const stub = await useStubModelServer();
  stub.answerWith(answer);
  expect(await failureOf(modelsAt(stub).generateText({ prompt: "?" }))).toMatchObject({
    code: "model_failed",
    stepExtra: {
      model: MAIN,
      details: { reason },
      usage: { inputTokens: 12, outputTokens: 8, totalTokens: 20 },
      cost: mainCost,
    },
  });
});

test("a failed object and a failed conversation count all their answers", async () => {
  const stub = await useStubModelServer();
  stub.answerWith("no JSON");
  const schema = { type: "object" };
  const object = await failureOf(modelsAt(stub).generateObject({ prompt: "?", schema }));
  expect(object).toMatchObject({ stepExtra: { usage: { totalTokens: 40 }, cost: { amount: 24 } } });

  stub.answerWith("no JSON", { status: 400 });
  const rejected = await failureOf(modelsAt(stub).generateObject({ prompt: "?", schema }));
  expect(rejected).toMatchObject({
    stepExtra: { details: { reason: "rejected" }, usage: { totalTokens: 20 } },
  });

  const tool = {
    name: "add",
    description: "Adds",
    inputSchema: { type: "object" },
    execute: () => Promise.resolve(5),
  };
  stub.answerWith({ toolCalls: [{ name: "add", arguments: {} }] }, { status: 400 });
  const conversation = await failureOf(modelsAt(stub).generateText({ prompt: "?", tools: [tool] }));
  expect(conversation).toMatchObject({ stepExtra: { usage: { totalTokens: 20 }, cost: mainCost } });
});

test("a <think> block before the answer is removed, also from objects and streams, unless it is asked for", async () => {
  const stub = await useStubModelServer();
  const model = modelsAt(stub);
  const thought = "<think>two and {two}</think>\n\nIt is four.";
  stub.answerWith(thought);
  expect((await model.generateText({ prompt: "?" })).text).toBe("It is four.");
  expect((await model.generateText({ prompt: "?", keepsThinking: true })).text).toBe(thought);
  for (const [keepsThinking, expected] of [
    [false, "It is four."],
    [true, thought],
  ] as const) {
    let [text, last] = ["", ""];
    for await (const part of model.streamText({ prompt: "?", keepsThinking })) {
      if (part.type === "text-delta") text += part.text;
      if (part.type === "finish") last = part.text;
    }
    expect([text, last]).toEqual([expected, expected]);
  }
  stub.answerWith('<think>{"a": 2}?</think>{"a": 1}');
  const schema = { type: "object", required: ["a"] };
  expect((await model.generateObject({ prompt: "?", schema })).object).toEqual({ a: 1 });
  stub.answerWith("<think>and no answer</think>");
  expect(await failureOf(model.generateText({ prompt: "?" }))).toMatchObject({
    details: { reason: "invalid_output" },
  });
});

test("runs show the model, tokens and money of every attempt, and the reason of a failure", async () => {
  const stub = await useStubModelServer();
  const app = await useTestApp({
    ...stubModelSettings(stub),
    LLM_PRICES: JSON.stringify(prices.models),
    LLM_PRICES_CURRENCY: "EUR",
  });
  const user = await registerUser(app);
  const [ask, greet] = [
    { stepId: "ask", type: "llm", prompt: "?", maxRetries: 1, backoffMultiplier: 1 },
    { stepId: "greet", type: "llm", prompt: "Greet {{item}}" },
  ];
  stub.answerWith(truncated, "<think>hm</think>Yes.", "Hi.");
  const done = await run(
    user,
    [ask, { stepId: "each", type: "foreach", items: [1, 2], steps: [greet] }],
    [{ id: "e", source: "ask", target: "each" }],
  );
  expect(stepOf(done, "ask")).toMatchObject({
    output: "Yes.",
    model: MAIN,
    attempts: 2,
    usage: { totalTokens: 40 },
    cost: { amount: 24, currency: "EUR" },
  });
  expect(stepOf(done, "each")).toMatchObject({ usage: { totalTokens: 40 }, cost: { amount: 24 } });
  expect(done).toMatchObject({ usage: { totalTokens: 80 }, cost: { amount: 48, currency: "EUR" } });

  stub.answerWith({ text: "No.", finishReason: "content_filter" });
  const failed = await run(user, [{ ...ask, thinking: "keep" }]);
  expect(stepOf(failed, "ask")).toMatchObject({
    status: "failed",
    error: { code: "model_failed" },
    details: { reason: "refused" },
    model: MAIN,
    usage: { totalTokens: 20 },
    cost: mainCost,
  });
  expect(failed).toMatchObject({ usage: { totalTokens: 20 }, cost: mainCost });

  stub.answerWith("Hello.");
  const agent = await user.post("/api/agents", { name: "Greeter" });
  const answer = await user.post(`/api/agents/${agent.body.agent.id}/run`, { input: "Hi" });
  expect(answer.body).toMatchObject({ output: "Hello.", model: MAIN, cost: mainCost });
  const byAgent = await run(user, [
    { stepId: "call", type: "agent", agentId: agent.body.agent.id, input: "Hi" },
  ]);
  expect(byAgent).toMatchObject({ cost: mainCost, usage: { totalTokens: 20 } });
  expect(stepOf(byAgent, "call")).toMatchObject({ model: MAIN, cost: mainCost });
});

test("an llm step sends its images with the prompt, and keeps its reasoning if it is asked to", async () => {
  const stub = await useStubModelServer();
  const user = await registerUser(await useTestApp(stubModelSettings(stub)));
  const png = Buffer.from("\x89PNG\r\n\x1a\n0123", "latin1").toString("base64");
  stub.answerWith("<think>hm</think>A cat.");
  const task = await run(
    user,
    [{ stepId: "see", type: "llm", prompt: "What is it?", images: ["{{input.image}}"], thinking: "keep" }],
    [],
    { image: `data:image/png;base64,${png}` },
  );
  expect(stepOf(task, "see").output).toBe("<think>hm</think>A cat.");
  expect(stub.requests[0]?.body.messages.at(-1)?.content).toEqual([
    { type: "text", text: "What is it?" },
    { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
  ]);
});
