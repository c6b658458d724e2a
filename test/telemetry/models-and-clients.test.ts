import { expect, test } from "vitest";
import { http, reach, save, serve, start } from "../../server/engine/testing/workbench.ts";
import { listen, mcpHandler } from "../../server/mcp-client/testing/http-servers.ts";
import { clientFor, sendFor } from "../a2a/a2a-client.ts";
import { createKey, exposeWorkflow, text } from "../mcp/mcp-app.ts";
import {
  type OtlpReceiver,
  type ReceivedSpan,
  telemetrySettings,
  useOtlpReceiver,
} from "../support/otlp-receiver.ts";
import { stubModelSettings, useStubModelServer } from "../support/stub-model-server.ts";
import { registerUser, useTestApp } from "../support/test-app.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const CALLER = "b7ad6b7169203331";
const traceparent = `00-${TRACE}-${CALLER}-01`;

async function open(settings: Record<string, string> = {}) {
  const collector = await useOtlpReceiver();
  const model = await useStubModelServer();
  const app = await useTestApp({
    ...telemetrySettings(collector),
    ...stubModelSettings(model),
    LLM_PRICES: '{"openai-compatible/stub-model": {"input": 1, "output": 2}}',
    ...settings,
  });
  return { app, collector, model, alice: await registerUser(app, "alice") };
}

const theOne = (spans: ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.filter((span) => span.name === name);
  expect([name, found.length]).toEqual([name, 1]);
  return found[0]!;
};
const when = (collector: OtlpReceiver, name: string, count = 1) =>
  collector.when((spans) => spans.filter((span) => span.name === name).length >= count);

const PROMPT = {
  stepId: "ask",
  type: "llm",
  prompt: "Greet {{input.name}} with {{secrets.CODE}}",
  temperature: 0.5,
};

test("a model call is a span with the GenAI conventions, without prompt and answer", async () => {
  const { collector, model, alice } = await open();
  model.answerWith("Good morning.");
  await alice.post("/api/variables", { name: "CODE", value: "secret-code-7", secret: true });
  const workflowId = await save(alice, [PROMPT]);
  await reach(alice, await start(alice, workflowId, { name: "Ada Lovelace" }), "completed");
  const spans = await when(collector, "run manual");
  const step = theOne(spans, "step llm");
  const chat = theOne(spans, "chat stub-model");
  expect(chat).toMatchObject({
    kind: 3,
    traceId: step.traceId,
    parentSpanId: step.spanId,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai-compatible",
      "gen_ai.request.model": "stub-model",
      "gen_ai.request.temperature": 0.5,
      "gen_ai.output.type": "text",
      "gen_ai.usage.input_tokens": 12,
      "gen_ai.usage.output_tokens": 8,
      "baton.cost.currency": "USD",
    },
  });
  const request = theOne(spans, "POST");
  expect(request).toMatchObject({ parentSpanId: chat.spanId });
  expect(model.requests[0]?.headers["traceparent"]).toBe(`00-${step.traceId}-${request.spanId}-01`);
  for (const hidden of ["Greet", "Lovelace", "Good morning", "secret-code"])
    expect(collector.text()).not.toContain(hidden);
});

test("with the setting, prompt and answer are recorded without secrets", async () => {
  const { collector, model, alice } = await open({
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
  });
  model.answerWith("The code is secret-code-7.");
  await alice.post("/api/variables", { name: "CODE", value: "secret-code-7", secret: true });
  const workflowId = await save(alice, [PROMPT]);
  await reach(alice, await start(alice, workflowId, { name: "Ada" }), "completed");
  const { attributes } = theOne(await when(collector, "run manual"), "chat stub-model");
  expect(attributes["gen_ai.input.messages"]).toMatch(/"role":"user".*Greet Ada with/);
  expect(attributes["gen_ai.output.messages"]).toMatch(/"role":"assistant".*The code is /);
  expect(collector.text()).not.toContain("secret-code-7");
});

test("a failed model call names the reason, and its tokens are counted", async () => {
  const { collector, model, alice } = await open();
  model.answerWith({ text: "cut", finishReason: "length" });
  await reach(alice, await start(alice, await save(alice, [{ ...PROMPT, prompt: "Hi" }])), "failed");
  const chat = theOne(await when(collector, "run manual"), "chat stub-model");
  expect(chat).toMatchObject({
    isError: true,
    attributes: { "error.type": "truncated", "gen_ai.usage.output_tokens": 8 },
  });
});

test("the tools of an agent are spans of the model call, and their runs are below them", async () => {
  const { collector, model, alice } = await open();
  const workflowId = await save(alice, [text("greeting", "Hello")] as never);
  const { agent } = (
    await alice.post("/api/agents", {
      name: "Greeter",
      systemPrompt: "Be kind.",
      tools: { workflows: [workflowId] },
    })
  ).body;
  model.answerWith((request) =>
    request.messages.some(({ role }) => role === "tool")
      ? "Done."
      : { toolCalls: [{ name: request.tools![0]!.function.name, arguments: { input: {} } }] },
  );
  const asking = await save(alice, [{ stepId: "ask", type: "agent", agentId: agent.id, input: "Go" }]);
  await reach(alice, await start(alice, asking), "completed");
  const spans = await when(collector, "run manual");
  const chat = theOne(spans, "chat stub-model");
  const tool = spans.find(({ name }) => name.startsWith("execute_tool "))!;
  expect(tool).toMatchObject({ parentSpanId: chat.spanId, traceId: chat.traceId });
  const below = spans.find(
    ({ parentSpanId, name }) => parentSpanId === tool.spanId && name.startsWith("run "),
  );
  expect(below?.traceId).toBe(chat.traceId);
});

test("an MCP server gets the trace in _meta and as a header", async () => {
  const { collector, alice } = await open();
  const seen: { traceparent: unknown; meta: any }[] = [];
  const { url } = await listen(async (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      if (!body.includes('"tools/call"')) return;
      seen.push({ traceparent: request.headers["traceparent"], meta: JSON.parse(body).params._meta });
    });
    await mcpHandler(request, response);
  });
  const step = { stepId: "call", type: "mcp", url, tool: "as-text", arguments: {}, maxRetries: 0 };
  await reach(alice, await start(alice, await save(alice, [step])), "completed");
  const spans = await when(collector, "run manual");
  const call = theOne(spans, "tools/call as-text");
  expect(call).toMatchObject({
    kind: 3,
    parentSpanId: theOne(spans, "step mcp").spanId,
    attributes: { "mcp.method.name": "tools/call", "gen_ai.tool.name": "as-text" },
  });
  expect(seen).toHaveLength(1);
  expect(seen[0]?.meta.traceparent).toBe(`00-${call.traceId}-${call.spanId}-01`);
  expect(seen[0]?.traceparent).toContain(call.traceId);
});

test("MCP and A2A clients and webhooks continue their trace", async () => {
  const { app, collector, alice } = await open();
  const key = await createKey(alice, ["mcp", "a2a"]);
  const id = await exposeWorkflow(alice, "greet", [text("greeting", "Hello")]);
  const params = { name: "greet", arguments: {} };
  const session = await app.anonymous.post(
    "/mcp",
    {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    },
    { authorization: `Bearer ${key}` },
  );
  await app.anonymous.post(
    "/mcp",
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: { ...params, _meta: { traceparent } } },
    { authorization: `Bearer ${key}`, "mcp-session-id": String(session.headers["mcp-session-id"]) },
  );
  const call = theOne(await when(collector, "run mcp"), "tools/call");
  expect(call).toMatchObject({ kind: 2, traceId: TRACE, parentSpanId: CALLER });
  expect(theOne(collector.spans, "run mcp")).toMatchObject({ traceId: TRACE, parentSpanId: call.spanId });

  await alice.put(`/api/exposures/workflow/${id}`, { a2a: true });
  const address = await app.listen();
  const client = await clientFor(`${address}/a2a/${id}`, "JSONRPC", {
    authorization: `Bearer ${key}`,
    traceparent,
  });
  await sendFor(client, "Hello");
  expect(theOne(await when(collector, "run a2a"), "run a2a").traceId).toBe(TRACE);

  const made = await alice.post("/api/webhooks", { name: "n", source: "shop", workflowId: id });
  const secret = { "x-webhook-secret": made.body.webhook.secret };
  await app.anonymous.post("/webhook/shop", {}, { ...secret, traceparent });
  expect(theOne(await when(collector, "run webhook"), "run webhook").traceId).toBe(TRACE);
});

test("messages of the outbox do not carry the trace of another request", async () => {
  const { collector, alice } = await open();
  const headers: Record<string, unknown>[] = [];
  const receiver = await serve((request, response) => {
    headers.push(request.headers);
    response.end();
  });
  const other = await serve((_request, response) => void response.end("{}"));
  await alice.post("/api/event-subscriptions", { url: receiver.url, types: ["baton.run.completed"] });
  await reach(alice, await start(alice, await save(alice, [http("call", other.url)])), "completed");
  const spans = await when(collector, "run manual");
  await expect.poll(() => headers.length).toBeGreaterThan(0);
  expect(headers[0]?.["traceparent"]).toMatch(/^00-/);
  expect(headers[0]?.["traceparent"]).not.toContain(spans.find(({ name }) => name === "run manual")?.traceId);
});
