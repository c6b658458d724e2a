import { expect, onTestFinished, test } from "vitest";
import { createLanguageModels } from "../../server/models/configured-models.ts";
import type { StreamPart, TextRequest } from "../../server/models/language-model.ts";
import { createModelFetch } from "../../server/models/model-fetch.ts";
import type { ModelSettings } from "../../server/models/model-settings.ts";
import { stepCount } from "../../server/models/stop-conditions.ts";
import { createEgress } from "../../server/security/egress.ts";
import { type StubAnswer, type StubModelServer, useStubModelServer } from "../support/stub-model-server.ts";

const KEY = "sk-stub-key-0123456789";

function modelsAt(stub: StubModelServer, { timeoutMs = 10_000, more = [] as ModelSettings[] } = {}) {
  const egress = createEgress({ allowPrivate: true, allow: [], deny: [] });
  onTestFinished(() => egress.close());
  const waits: number[] = [];
  const fetch = createModelFetch({
    fetch: egress.webFetch,
    timeoutMs,
    wait: async (ms) => void waits.push(ms),
  });
  const first: ModelSettings = {
    provider: "openai-compatible",
    model: "stub-model",
    apiKey: KEY,
    baseUrl: stub.baseUrl,
  };
  const models = createLanguageModels([first, ...more], fetch);
  return { models, model: models.get(), waits };
}

async function partsOf(parts: AsyncIterable<StreamPart>): Promise<StreamPart[]> {
  const list: StreamPart[] = [];
  for await (const part of parts) list.push(part);
  return list;
}

test("text is returned with its tokens; system, temperature and key are sent", async () => {
  const stub = await useStubModelServer();
  stub.answerWith("Bonjour.");
  const { model } = modelsAt(stub);
  const result = await model.generateText({ system: "Speak French.", prompt: "Hello", temperature: 0.5 });
  expect(result).toMatchObject({
    text: "Bonjour.",
    usage: { inputTokens: 12, outputTokens: 8, totalTokens: 20 },
  });
  const [{ body, headers, path } = { body: undefined, headers: {}, path: "" }] = stub.requests;
  expect(path).toBe("/v1/chat/completions");
  expect(headers["authorization"]).toBe(`Bearer ${KEY}`);
  expect(body).toMatchObject({
    model: "stub-model",
    temperature: 0.5,
    messages: [
      { role: "system", content: "Speak French." },
      { role: "user", content: "Hello" },
    ],
  });
});

test("a conversation is sent as its messages", async () => {
  const stub = await useStubModelServer();
  const { model } = modelsAt(stub);
  const messages: TextRequest["messages"] = [
    { role: "user", content: "My name is Ann." },
    { role: "assistant", content: "Hello Ann." },
    { role: "user", content: "Who am I?" },
  ];
  await model.generateText({ messages });
  expect(stub.requests[0]?.body.messages).toMatchObject(messages);
});

test("an object matches its schema, and an invalid one is requested again with the problem", async () => {
  const stub = await useStubModelServer();
  stub.answerWith('{"age": "ten"}', 'Sure!\n```json\n{"age": 10}\n```');
  const { model } = modelsAt(stub);
  const schema = { type: "object", properties: { age: { type: "integer" } }, required: ["age"] };
  expect(await model.generateObject({ prompt: "How old?", schema })).toEqual({
    object: { age: 10 },
    usage: { inputTokens: 24, outputTokens: 16, totalTokens: 40 },
    answeredBy: "openai-compatible/stub-model",
  });
  expect(stub.requests[0]?.body.response_format).toEqual({ type: "json_object" });
  expect(stub.requests[1]?.body.messages.at(-1)?.content).toContain("“age” must be a whole number");
});

test("a stream yields the parts and ends with the whole text", async () => {
  const stub = await useStubModelServer();
  stub.answerWith("one two three");
  const parts = await partsOf(modelsAt(stub).model.streamText({ prompt: "count" }));
  expect(parts.slice(0, -1)).toEqual(["one ", "two ", "three"].map((text) => ({ type: "text-delta", text })));
  expect(parts.at(-1)).toMatchObject({ type: "finish", text: "one two three", usage: { totalTokens: 20 } });
});

const addTool = {
  name: "add",
  description: "Adds two numbers",
  inputSchema: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
};
test.each([
  ["thousands of tool calls", Array.from({ length: 3000 }, () => ({ name: "ping", arguments: {} }))],
  ["a megabyte for a tool", [{ name: "ping", arguments: { text: "x".repeat(1_000_000) } }]],
])("an answer with %s fails, streamed or not", async (_what, toolCalls) => {
  const stub = await useStubModelServer();
  stub.answerWith({ toolCalls });
  const { model } = modelsAt(stub);
  let runs = 0;
  const execute = async () => ++runs;
  const tools = [{ name: "ping", description: "", inputSchema: { type: "object" }, execute }];
  const failed = { code: "model_failed", details: { reason: "invalid_output" } };
  await expect(model.generateText({ prompt: "Go", tools })).rejects.toMatchObject(failed);
  expect(runs).toBe(0);
  await expect(partsOf(model.streamText({ prompt: "Go", tools }))).rejects.toMatchObject(failed);
  expect(runs).toBeLessThanOrEqual(200);
});

const useAdd: StubAnswer = { toolCalls: [{ name: "add", arguments: { a: 2, b: 3 } }] };

test("tools are called with the model's input, and the model receives their output", async () => {
  const stub = await useStubModelServer();
  stub.answerWith(useAdd, "It is 5.");
  const tool = { ...addTool, execute: async (input: any) => ({ sum: input.a + input.b }) };
  const result = await modelsAt(stub).model.generateText({ prompt: "2 + 3?", tools: [tool] });
  expect(result.text).toBe("It is 5.");
  expect(result.steps[0]?.toolUses).toEqual([
    { id: "call_0", name: "add", input: { a: 2, b: 3 }, output: { sum: 5 }, failed: false },
  ]);
  expect(result.usage.totalTokens).toBe(40);
  expect(stub.requests[1]?.body.messages.at(-1)).toMatchObject({ role: "tool", content: '{"sum":5}' });
});

test("the model receives the error of a failing tool and of invalid input, and no text of internal errors", async () => {
  const stub = await useStubModelServer();
  stub.answerWith(useAdd, { toolCalls: [{ name: "add", arguments: { a: "two" } }] }, "I cannot add.");
  let runs = 0;
  const tool = {
    ...addTool,
    execute: () => {
      runs += 1;
      throw new Error("password of the database");
    },
  };
  const result = await modelsAt(stub).model.generateText({ prompt: "2 + 3?", tools: [tool] });
  expect(runs).toBe(1);
  expect(result.text).toBe("I cannot add.");
  const [first, second] = result.steps.flatMap((step) => step.toolUses);
  expect(first).toMatchObject({ failed: true, output: "The tool failed." });
  expect(second).toMatchObject({ failed: true, output: "Not called: “b” is missing." });
  expect(JSON.stringify(stub.requests)).not.toContain("password");
});

test("a stop condition ends a model that calls tools forever", async () => {
  const stub = await useStubModelServer();
  stub.answerWith(useAdd);
  const tool = { ...addTool, execute: async () => 5 };
  const request = { prompt: "add forever", tools: [tool], stopWhen: [stepCount(3)] };
  expect((await modelsAt(stub).model.generateText(request)).steps).toHaveLength(3);
  expect(stub.requests).toHaveLength(3);
});

test("[R26] 429 and 5xx are retried after the vendor's delay, three attempts in total", async () => {
  const stub = await useStubModelServer();
  stub.answerWith({ status: 429, headers: { "retry-after": "7" } }, { status: 503 }, "At last.");
  const { model, waits } = modelsAt(stub);
  expect((await model.generateText({ prompt: "?" })).text).toBe("At last.");
  expect(waits).toEqual([7000, 2000]);

  stub.answerWith({ status: 500 });
  await expect(model.generateText({ prompt: "?" })).rejects.toMatchObject({ code: "model_failed" });
  expect(stub.requests).toHaveLength(6);
});

test("[R26] a 429 during a conversation does not run earlier tools again", async () => {
  const stub = await useStubModelServer();
  stub.answerWith(useAdd, { status: 429 }, "It is 5.");
  let runs = 0;
  const tool = { ...addTool, execute: async () => ++runs };
  expect((await modelsAt(stub).model.generateText({ prompt: "?", tools: [tool] })).text).toBe("It is 5.");
  expect(runs).toBe(1);
});

const failures: [string, StubAnswer, { reason: string; retryable: boolean }][] = [
  [
    "429 that stays",
    { status: 429, headers: { "retry-after": "90" } },
    { reason: "rate_limited", retryable: true },
  ],
  ["5xx that stays", { status: 502 }, { reason: "unavailable", retryable: true }],
  ["a wrong key", { status: 401 }, { reason: "rejected", retryable: false }],
  ["a request that the vendor rejects", { status: 400 }, { reason: "rejected", retryable: false }],
  ["an answer that is no JSON", { garbage: "<html>" }, { reason: "invalid_output", retryable: true }],
  ["JSON that is no answer", { garbage: '{"hello": 1}' }, { reason: "invalid_output", retryable: true }],
  ["an empty answer", { text: "" }, { reason: "invalid_output", retryable: true }],
  [
    "an answer cut off by its length",
    { text: "Once", finishReason: "length" },
    { reason: "truncated", retryable: true },
  ],
  [
    "a connection that breaks",
    { text: "Once upon", cut: true },
    { reason: "connection_failed", retryable: true },
  ],
  ["a refusal", { text: "No.", finishReason: "content_filter" }, { reason: "refused", retryable: false }],
];
test.each(failures)(
  "[R26] %s is model_failed and does not reveal the key",
  async (_name, answer, expected) => {
    const stub = await useStubModelServer();
    stub.answerWith(answer);
    const failed = await modelsAt(stub)
      .model.generateText({ prompt: "?" })
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: "model_failed",
      retryable: expected.retryable,
      message: expect.stringContaining("openai-compatible/stub-model"),
      details: { reason: expected.reason },
    });
    expect((failed as Error).message).not.toContain("sk-stub");
  },
);

test("[R26] a long Retry-After is returned in the error instead of being waited for", async () => {
  const stub = await useStubModelServer();
  stub.answerWith({ status: 429, headers: { "retry-after": "90" } });
  const { model, waits } = modelsAt(stub);
  await expect(model.generateText({ prompt: "?" })).rejects.toMatchObject({
    retryAfterMs: 90_000,
  });
  expect([waits, stub.requests.length]).toEqual([[], 1]);
});

test("[R26] a model that does not respond in time is retried and then a timeout", async () => {
  const stub = await useStubModelServer();
  stub.answerWith({ hang: true });
  const { model } = modelsAt(stub, { timeoutMs: 500 });
  await expect(model.generateText({ prompt: "?" })).rejects.toMatchObject({
    code: "model_failed",
    details: { reason: "timeout" },
  });
  expect(stub.requests).toHaveLength(3);
});

test("[R26] a stream that ends early is a failure, even if its text looks complete", async () => {
  const stub = await useStubModelServer();
  stub.answerWith({ text: "All is well.", cut: true });
  await expect(partsOf(modelsAt(stub).model.streamText({ prompt: "?" }))).rejects.toMatchObject({
    code: "model_failed",
    details: { reason: "truncated" },
  });
});

test("a stream that exceeds the limit of an answer is cut off and fails", async () => {
  const piece = new Uint8Array(1024 * 1024);
  let pieces = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => (++pieces > 100 ? controller.close() : controller.enqueue(piece)),
  });
  const fetch = createModelFetch({
    fetch: async () => new Response(endless, { headers: { "content-type": "text/event-stream" } }),
    timeoutMs: 10_000,
  });
  const response = await fetch("http://model.example");
  await expect(response.arrayBuffer()).rejects.toMatchObject({ code: "response_too_large" });
  expect(pieces).toBeLessThan(20);
});

test("[R26] the fallback model is used when the first one is unavailable, but not after a refusal", async () => {
  const stub = await useStubModelServer();
  const reserve = await useStubModelServer();
  reserve.answerWith("From the reserve.");
  const more: ModelSettings[] = [
    { provider: "ollama", model: "spare", baseUrl: reserve.baseUrl, fallback: true },
  ];
  const { model, models } = modelsAt(stub, { more });
  stub.answerWith({ status: 500 });
  expect((await model.generateText({ prompt: "?" })).text).toBe("From the reserve.");
  const streamed = await partsOf(model.streamText({ prompt: "?" }));
  expect(streamed.at(-1)).toMatchObject({ type: "finish", text: "From the reserve." });
  // A named model is used or fails; there is no fallback.
  await expect(
    models.get({ provider: "openai-compatible" }).generateText({ prompt: "?" }),
  ).rejects.toMatchObject({
    code: "model_failed",
  });
  stub.answerWith({ text: "No.", finishReason: "content_filter" });
  await expect(model.generateText({ prompt: "?" })).rejects.toMatchObject({ details: { reason: "refused" } });
});

test("[R26] a fallback never runs a tool twice", async () => {
  const stub = await useStubModelServer();
  const reserve = await useStubModelServer();
  const more: ModelSettings[] = [
    { provider: "ollama", model: "s", baseUrl: reserve.baseUrl, fallback: true },
  ];
  stub.answerWith(useAdd, { status: 500 });
  const tool = { ...addTool, execute: async () => 5 };
  const running = modelsAt(stub, { more }).model.generateText({ prompt: "?", tools: [tool] });
  await expect(running).rejects.toMatchObject({ code: "model_failed" });
  expect(reserve.requests).toEqual([]);
});

test("a model is chosen by provider, by name or by both; an unknown provider names the setting", async () => {
  const stub = await useStubModelServer();
  const other = await useStubModelServer();
  other.answerWith("From the other.");
  const more: ModelSettings[] = [{ provider: "ollama", model: "llama3.2", baseUrl: other.baseUrl }];
  const { models } = modelsAt(stub, { more });
  const ask = async (choice: { provider?: string; model?: string }) =>
    (await models.get(choice).generateText({ prompt: "?" })).text;
  expect(await ask({ provider: "ollama" })).toBe("From the other.");
  expect(await ask({ model: "llama3.2" })).toBe("From the other.");
  expect(await ask({ model: "stub-large" })).toBe("Hello.");
  expect(stub.requests.at(-1)?.body.model).toBe("stub-large");
  expect(() => models.get({ provider: "anthropic" })).toThrow(/"anthropic".*LLM_PROVIDER.*LLM_MODELS/);
});

test("an aborted call ends with the signal's reason", async () => {
  const stub = await useStubModelServer();
  const cancel = new AbortController();
  stub.answerWith(() => {
    cancel.abort(new Error("cancelled"));
    return { hang: true };
  });
  await expect(modelsAt(stub).model.generateText({ prompt: "?", signal: cancel.signal })).rejects.toThrow(
    "cancelled",
  );
});
