import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  RateLimitError,
} from "openai";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { chain, transformStep } from "./support/graphs.ts";
import { startStubModelServer, stubModelSettings } from "./support/stub-model-server.ts";
import { createTestApp, registerUser, type RegisteredUser, useTestApp } from "./support/test-app.ts";

const model = await startStubModelServer();
const app = await createTestApp({
  ...stubModelSettings(model),
  SYNC_TIMEOUT_MS: "20000",
  TEAM_JOIN_WAIT_MS: "0",
});
const base = await app.listen();
const ada = await registerUser(app, "ada");
const key = await createKey(ada);
const openai = new OpenAI({ apiKey: key, baseURL: `${base}/v1`, maxRetries: 0 });
afterAll(async () => {
  await app.close();
  await model.close();
});
beforeEach(() => {
  model.requests.splice(0);
  model.answerWith("Hello.");
});

async function createKey(user: RegisteredUser, scopes = ["chat"]): Promise<string> {
  return (await user.post("/api/keys", { name: "Chat app", scopes })).body.rawKey;
}

async function expose(kind: string, id: string, change: object): Promise<void> {
  expect((await ada.put(`/api/exposures/${kind}/${id}`, { chat: true, ...change })).status).toBe(200);
}

async function addWorkflow(name: string, steps: object[], more: object = {}): Promise<string> {
  const created = await ada.post("/api/workflows", { name, metadata: { steps, edges: [], ...more } });
  expect(created.status).toBe(201);
  const { id } = created.body.workflow;
  await expose("workflow", id, { name });
  return id;
}

async function addAgent(name: string, more: object = {}): Promise<string> {
  const { agent } = (await ada.post("/api/agents", { name, systemPrompt: "Be short.", ...more })).body;
  await expose("agent", agent.id, { name: name.toLowerCase() });
  return agent.id;
}

function openGate(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  return { promise: new Promise<void>((done) => (resolve = done)), resolve: () => resolve() };
}

const user = (content: string) => ({ role: "user" as const, content });
const textOf = (completion: OpenAI.ChatCompletion) => completion.choices[0]?.message.content;

/** All chunks of a streamed answer. */
async function stream(
  body: Omit<OpenAI.ChatCompletionCreateParamsStreaming, "stream">,
): Promise<{ chunks: OpenAI.ChatCompletionChunk[]; text: string; finish: unknown[] }> {
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  for await (const chunk of await openai.chat.completions.create({ ...body, stream: true }))
    chunks.push(chunk);
  const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
  const finish = chunks
    .flatMap(({ choices }) => choices.map((choice) => choice.finish_reason))
    .filter(Boolean);
  return { chunks, text, finish };
}

describe("models", () => {
  test("are the workflows, agents and teams that are switched on for chat, and no others", async () => {
    const workflow = await addWorkflow("listed", [transformStep("a")]);
    await ada.put(`/api/exposures/workflow/${workflow}`, { description: "Says a" });
    const { id: hidden } = (await ada.post("/api/workflows", { name: "hidden", metadata: chain("a") })).body
      .workflow;
    await ada.put(`/api/exposures/workflow/${hidden}`, { mcp: true });
    const ids: string[] = [];
    for await (const { id } of openai.models.list()) ids.push(id);
    expect(ids).toContain("listed");
    expect(ids).not.toContain("hidden");
    expect(await openai.models.retrieve("listed")).toMatchObject({
      id: "listed",
      object: "model",
      created: expect.any(Number),
      owned_by: "workflow",
      description: "Says a",
    });
    await ada.patch(`/api/workflows/${workflow}`, { active: false });
    await expect(openai.models.retrieve("listed")).rejects.toThrow(NotFoundError);
    expect((await openai.models.list()).data.map(({ id }) => id)).not.toContain("listed");
  });

  test("of another user are not found", async () => {
    await addWorkflow("private", [transformStep("a")]);
    const eve = await registerUser(app, "eve");
    const other = new OpenAI({ apiKey: await createKey(eve), baseURL: `${base}/v1`, maxRetries: 0 });
    expect((await other.models.list()).data).toEqual([]);
    await expect(
      other.chat.completions.create({ model: "private", messages: [user("Hi")] }),
    ).rejects.toMatchObject({ status: 404, code: "model_not_found", param: "model" });
  });
});

describe("a workflow", () => {
  test("gets the last user message and all messages, and its result is the answer of an ordinary task", async () => {
    const id = await addWorkflow("echo", [
      transformStep("say", "{{input.message}} of {{input.messages.length}}, first {{input.messages.0.role}}"),
    ]);
    const { data, response } = await openai.chat.completions
      .create({
        model: "echo",
        messages: [
          { role: "developer", content: "Be polite." },
          user("One"),
          { role: "assistant", content: "Yes?" },
          {
            role: "user",
            content: [
              { type: "text", text: "Two" },
              { type: "text", text: "Three" },
            ],
          },
        ],
        temperature: 0.2,
        max_tokens: 5,
        user: "someone",
      })
      .withResponse();
    expect(data).toMatchObject({
      object: "chat.completion",
      model: "echo",
      choices: [{ index: 0, message: { role: "assistant" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    });
    expect(textOf(data)).toBe("Two\nThree of 4, first system");
    expect(response.headers.get("x-task-id")).toBe(data.id);
    const { task } = (await ada.get(`/api/tasks/${data.id}`)).body;
    expect(task).toMatchObject({
      workflowId: id,
      status: "completed",
      trigger: "chat",
      input: { message: "Two\nThree", messages: [{ role: "system", content: "Be polite." }, {}, {}, {}] },
    });
  });

  test("with declared input gets the message in its text field, or fields from a JSON object", async () => {
    const inputSchema = {
      type: "object",
      properties: { topic: { type: "string" }, words: { type: "integer", default: 5 } },
      required: ["topic"],
      additionalProperties: false,
    };
    await addWorkflow("essay", [transformStep("say", "{{input.topic}}/{{input.words}}")], { inputSchema });
    const ask = async (text: string) =>
      textOf(await openai.chat.completions.create({ model: "essay", messages: [user(text)] }));
    expect(await ask("Rain")).toBe("Rain/5");
    expect(await ask('{"topic":"Snow","words":9}')).toBe("Snow/9");
    const refused = await ask('{"topic":"Snow","words":"many"}').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(BadRequestError);
    expect((refused as APIError).message).toContain("words must be");
  });

  test("answers with the text of an object, and any other result as JSON", async () => {
    await addWorkflow("sourced", [transformStep("say", { answer: "42", sources: [] })]);
    await addWorkflow("numbers", [transformStep("say", [1, 2])]);
    const ask = async (name: string) =>
      textOf(await openai.chat.completions.create({ model: name, messages: [user("?")] }));
    expect(await ask("sourced")).toBe("42");
    expect(JSON.parse((await ask("numbers")) ?? "")).toEqual([1, 2]);
  });

  test("streams its result in chunks that end with [DONE], with usage when asked for", async () => {
    model.answerWith("From the model.");
    await addWorkflow("modelled", [{ stepId: "ask", type: "llm", prompt: "{{input.message}}" }]);
    const { chunks, text, finish } = await stream({
      model: "modelled",
      messages: [user("Hi")],
      stream_options: { include_usage: true },
    });
    expect([text, finish]).toEqual(["From the model.", ["stop"]]);
    expect(chunks[0]?.choices[0]?.delta).toMatchObject({ role: "assistant", content: "" });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect(chunks.at(-1)?.usage?.total_tokens).toBeGreaterThan(0);
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
    expect(
      (await stream({ model: "modelled", messages: [user("Hi")] })).chunks.every((c) => !("usage" in c)),
    ).toBe(true);

    const raw = await fetch(`${base}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "modelled", messages: [user("Hi")], stream: true }),
    });
    expect(raw.headers.get("content-type")).toContain("text/event-stream");
    expect(raw.headers.get("x-task-id")).toMatch(/^task_/);
    expect((await raw.text()).trimEnd().split("\n\n").at(-1)).toBe("data: [DONE]");
  });

  test("that waits for an approval answers where to approve, without a link that decides", async () => {
    await addWorkflow("careful", [{ stepId: "ask", type: "approval", message: "Send the money?" }]);
    const completion = await openai.chat.completions.create({ model: "careful", messages: [user("Pay")] });
    expect(textOf(completion)).toContain("Send the money?");
    expect(textOf(completion)).toContain(`/runs/${completion.id}`);
    expect(textOf(completion)).not.toContain("/a/");
    expect((await stream({ model: "careful", messages: [user("Pay")] })).text).toContain(
      "waits for an approval",
    );
  });

  test("that fails is an error that a client does not retry by itself", async () => {
    await addWorkflow("broken", [{ stepId: "no", type: "http", url: "http://127.0.0.1:1/" }]);
    const retrying = new OpenAI({ apiKey: key, baseURL: `${base}/v1`, maxRetries: 2 });
    const count = async () => (await ada.get("/api/tasks?trigger=chat&status=failed")).body.tasks.length;
    const before = await count();
    const failed = await retrying.chat.completions
      .create({ model: "broken", messages: [user("Hi")] })
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ status: 500, type: "server_error", code: "execution_failed" });
    expect((failed as APIError).headers?.get("x-task-id")).toMatch(/^task_/);
    expect(await count()).toBe(before + 1);
    await expect(stream({ model: "broken", messages: [user("Hi")] })).rejects.toMatchObject({
      code: "execution_failed",
    });
  });

  test("that takes longer than a call may wait is an error with the id of the run, which continues", async () => {
    const slow = await useTestApp({ SYNC_TIMEOUT_MS: "1" });
    const bob = await registerUser(slow, "bob");
    const metadata = { steps: [{ stepId: "rest", type: "delay", seconds: 600 }], edges: [] };
    const { id } = (await bob.post("/api/workflows", { name: "Slow", metadata })).body.workflow;
    await bob.put(`/api/exposures/workflow/${id}`, { chat: true });
    const response = await bob.call("/v1/chat/completions", {
      method: "POST",
      body: { model: "slow", messages: [user("Hi")] },
      headers: { authorization: `Bearer ${await createKey(bob)}` },
    });
    expect([response.status, response.body.error.code]).toEqual([504, "execution_timeout"]);
    const taskId = /task_\w+/.exec(response.body.error.message)?.[0];
    await expect.poll(async () => (await bob.get(`/api/tasks/${taskId}`)).body.task.status).toBe("waiting");
  });

  test("runs once for calls with the same Idempotency-Key, and goes on when the client leaves", async () => {
    await addWorkflow("once", [transformStep("say", "{{input.message}}")]);
    const ask = (text: string) =>
      openai.chat.completions.create(
        { model: "once", messages: [user(text)] },
        { headers: { "Idempotency-Key": "k1" } },
      );
    const [first, second] = [await ask("Hi"), await ask("Hi")];
    expect(second.id).toBe(first.id);
    await expect(ask("Other")).rejects.toMatchObject({ status: 409, code: "idempotency_conflict" });

    const gate = openGate();
    model.answerWith({ text: "Late but whole.", gate: gate.promise });
    const agent = await addAgent("patient");
    const leaving = await openai.chat.completions.create({
      model: "patient",
      messages: [user("Hi")],
      stream: true,
    });
    for await (const chunk of leaving) {
      if ((chunk.choices[0]?.delta.content ?? "") === "") continue;
      leaving.controller.abort();
      break;
    }
    const { tasks } = (await ada.get("/api/tasks?trigger=chat&limit=1")).body;
    await expect
      .poll(async () => (await ada.get("/api/client-calls?limit=1")).body.calls[0])
      .toMatchObject({ taskId: tasks[0].id, errorCode: "client_disconnected" });
    gate.resolve();
    await expect
      .poll(async () => (await ada.get(`/api/tasks/${tasks[0].id}`)).body.task)
      .toMatchObject({
        status: "completed",
        result: { output: "Late but whole." },
        input: { agentId: agent },
      });
  });
});

describe("an agent", () => {
  test("answers the conversation with the client's system messages after its own instructions", async () => {
    await addAgent("helper");
    const completion = await openai.chat.completions.create({
      model: "helper",
      messages: [
        { role: "system", content: "Speak French." },
        user("One"),
        { role: "assistant", content: "Un" },
        user("Two"),
      ],
    });
    expect(textOf(completion)).toBe("Hello.");
    expect(completion.usage?.total_tokens).toBeGreaterThan(0);
    const [request] = model.requests;
    const [system, ...rest] = request?.body.messages ?? [];
    expect(system).toMatchObject({ role: "system", content: "Be short.\n\nSpeak French." });
    expect(rest.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect((await ada.get(`/api/tasks/${completion.id}`)).body.task).toMatchObject({
      trigger: "chat",
      status: "completed",
      result: { output: "Hello." },
    });
  });

  test("streams its text while the model writes it", async () => {
    await addAgent("writer");
    const gate = openGate();
    model.answerWith({ text: "First half. Second half.", gate: gate.promise });
    const texts: string[] = [];
    for await (const chunk of await openai.chat.completions.create({
      model: "writer",
      messages: [user("Write")],
      stream: true,
    })) {
      const text = chunk.choices[0]?.delta.content ?? "";
      if (text !== "") texts.push(text);
      // The model sends the rest only after the first half has arrived here.
      if (text !== "") gate.resolve();
    }
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.join("")).toBe("First half. Second half.");
  });
});

test("a team answers with the messages of its agents, streamed as they come, under the id of its session", async () => {
  const [first, second] = [await addAgent("Researcher"), await addAgent("Editor")];
  const { team } = (
    await ada.post("/api/agent-teams", { name: "Desk", agents: [first, second], topology: "linear" })
  ).body;
  await expose("team", team.id, { name: "desk" });
  model.answerWith("Facts.", "Edited facts.");
  const completion = await openai.chat.completions.create({
    model: "desk",
    messages: [user("Earlier"), { role: "assistant", content: "Before" }, user("Report")],
  });
  expect(textOf(completion)).toBe("**Researcher**\n\nFacts.\n\n**Editor**\n\nEdited facts.");
  expect(completion.usage?.total_tokens).toBeGreaterThan(0);
  const { session } = (await ada.get(`/api/agent-teams/sessions/${completion.id}`)).body;
  expect(session).toMatchObject({ objective: "Report", status: "completed" });
  expect(JSON.stringify(model.requests[0]?.body.messages)).toContain("user: Earlier");

  model.answerWith("Facts.", "Edited facts.");
  const { text, chunks } = await stream({ model: "desk", messages: [user("Report")] });
  expect(text).toBe("**Researcher**\n\nFacts.\n\n**Editor**\n\nEdited facts.");
  expect(chunks.filter(({ choices }) => (choices[0]?.delta.content ?? "") !== "")).toHaveLength(2);
});

describe("a refusal has OpenAI's shape", () => {
  const call = (body: unknown, headers: Record<string, string> = { authorization: `Bearer ${key}` }) =>
    app.anonymous.call("/v1/chat/completions", { method: "POST", body, headers });
  const shape = (code: string, type: string, param: string | null = null) => ({
    error: { message: expect.stringMatching(/\w/), type, code, param },
  });

  test("for a missing or wrong key, a key without the scope and an unknown model", async () => {
    const wrong = new OpenAI({ apiKey: "wf_wrong", baseURL: `${base}/v1`, maxRetries: 0 });
    await expect(wrong.models.list()).rejects.toThrow(AuthenticationError);
    const missing = await call({ model: "x", messages: [user("Hi")] }, {});
    expect([missing.status, missing.body]).toEqual([401, shape("invalid_api_key", "authentication_error")]);
    const scoped = await call({}, { authorization: `Bearer ${await createKey(ada, ["endpoints"])}` });
    expect([scoped.status, scoped.body]).toEqual([403, shape("insufficient_scope", "permission_error")]);
    const unknown = await call({ model: "nobody", messages: [user("Hi")] });
    expect([unknown.status, unknown.body]).toEqual([
      404,
      shape("model_not_found", "invalid_request_error", "model"),
    ]);
  });

  test("for a body that is no JSON, no object or not valid, and for other paths", async () => {
    const response = await fetch(`${base}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: "{oops",
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      shape("invalid_json", "invalid_request_error"),
    ]);
    const invalid = await call({ model: "x", messages: [{ role: "wizard", content: "Hi" }] });
    expect([invalid.status, invalid.body]).toEqual([
      400,
      shape("invalid_request", "invalid_request_error", "messages.0.role"),
    ]);
    for (const path of ["/v1/embeddings", "/v1/completions"]) {
      const other = await app.anonymous.call(path, { method: "POST", body: {} });
      expect([other.status, other.body]).toEqual([404, shape("not_found", "invalid_request_error")]);
    }
    expect((await app.anonymous.get("/v1/files")).body).toEqual(shape("not_found", "invalid_request_error"));
    const form = await fetch(`${base}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "text/plain" },
      body: "Hi",
    });
    expect([form.status, await form.json()]).toEqual([
      415,
      shape("unsupported_media_type", "invalid_request_error"),
    ]);
  });

  test.each([
    ["n", { n: 2 }],
    ["tools", { tools: [{ type: "function", function: { name: "f" } }] }],
    ["functions", { functions: [{ name: "f" }] }],
    ["response_format", { response_format: { type: "json_schema", json_schema: {} } }],
    ["modalities", { modalities: ["audio"] }],
    ["messages", { messages: [{ role: "system", content: "Only this" }] }],
    [
      "messages[0].content",
      { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] }] },
    ],
  ])("for %s that no workflow, agent or team can do", async (param, more) => {
    const refused = await call({ model: "nobody", messages: [user("Hi")], ...more });
    expect([refused.status, refused.body]).toEqual([
      400,
      shape("invalid_request", "invalid_request_error", param),
    ]);
  });

  test("for too many requests, with the time to wait", async () => {
    const limited = await useTestApp({ RATE_LIMIT_ENDPOINT_PER_MINUTE: "1" });
    const bob = await registerUser(limited, "bob");
    const client = new OpenAI({
      apiKey: await createKey(bob),
      baseURL: `${await limited.listen()}/v1`,
      maxRetries: 0,
    });
    await client.models.list();
    const refused = await client.models.list().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RateLimitError);
    expect(refused).toMatchObject({ code: "rate_limit_exceeded", type: "rate_limit_error" });
    expect(Number((refused as APIError).headers?.get("retry-after"))).toBeGreaterThan(0);
  });
});

test("every call is listed with its caller, model, task and error", async () => {
  await addWorkflow("counted", [transformStep("a", "x")]);
  const { id } = await openai.chat.completions.create({ model: "counted", messages: [user("Hi")] });
  await openai.chat.completions.create({ model: "nobody", messages: [user("Hi")] }).catch(() => undefined);
  const { calls } = (await ada.get("/api/client-calls?protocol=chat&limit=2")).body;
  expect(calls).toMatchObject([
    { status: "failed", errorCode: "not_found", taskId: null, name: null, method: "chat.completions" },
    { status: "ok", errorCode: null, taskId: id, name: "counted", kind: "workflow", callerName: "Chat app" },
  ]);
});
