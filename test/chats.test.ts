import { afterAll, beforeEach, expect, test } from "vitest";
import { startStubModelServer, stubModelSettings } from "./support/stub-model-server.ts";
import type { Client } from "./support/client.ts";
import { createTestApp, registerUser, useTestApp } from "./support/test-app.ts";

const model = await startStubModelServer();
const app = await createTestApp({ ...stubModelSettings(model), RATE_LIMIT_CHAT_PER_MINUTE: "0" });
const ada = await registerUser(app, "ada");
const visitor = app.anonymous;
afterAll(async () => {
  await app.close();
  await model.close();
});
beforeEach(() => {
  model.requests.splice(0);
  model.answerWith("Hello.");
});

const ECHO = {
  stepId: "answer",
  type: "transform",
  template: {
    text: "You said {{input.message}}",
    history: "{{input.history}}",
    id: "{{input.conversationId}}",
  },
};
let count = 0;
const newId = () => `conversation-${String(++count).padStart(20, "0")}`;

async function addWorkflow(steps: object[], edges: object[] = []): Promise<string> {
  return (await ada.post("/api/workflows", { name: "Support", metadata: { steps, edges } })).body.workflow.id;
}

async function addChat(workflowId: string | null, settings: object = {}) {
  const slug = `support-${++count}`;
  const created = await ada.post("/api/triggers", {
    kind: "chat",
    workflowId,
    settings: { slug, ...settings },
  });
  expect([created.status, created.body.message]).toEqual([201, undefined]);
  return { slug, id: created.body.trigger.id as string };
}

type Event = { event: string; text?: string; message?: string };

function eventsOf(text: string): Event[] {
  return text
    .split("\n\n")
    .flatMap((block) => /^event: .*\ndata: (.*)$/.exec(block)?.[1] ?? [])
    .map((data) => JSON.parse(data) as Event);
}

let messages = 0;
const send = async (
  slug: string,
  conversationId: string,
  message: string,
  {
    client = visitor,
    messageId = `m${++messages}`,
  }: { client?: Pick<Client, "post">; messageId?: string } = {},
) =>
  eventsOf((await client.post(`/api/chats/${slug}/messages`, { conversationId, messageId, message })).text);
const textsOf = async (slug: string, conversationId: string, client: Pick<Client, "get"> = visitor) =>
  (await client.get(`/api/chats/${slug}/conversations/${conversationId}`)).body.messages.map(
    ({ role, text }: { role: string; text: string }) => `${role}: ${text}`,
  );

test("a workflow answers with the message, the conversation and its history as input, and the conversation is kept", async () => {
  const { slug } = await addChat(await addWorkflow([ECHO]), { title: "Help", greeting: "Hi" });
  const conversation = newId();
  expect((await visitor.get(`/api/chats/${slug}`)).body).toEqual({
    ok: true,
    chat: { title: "Help", greeting: "Hi", placeholder: "Write a message", loginRequired: false },
  });
  expect(await send(slug, conversation, "one")).toEqual([
    { event: "started" },
    { event: "finished", text: "You said one" },
  ]);
  await send(slug, conversation, "two");
  expect(await textsOf(slug, conversation)).toEqual([
    "user: one",
    "assistant: You said one",
    "user: two",
    "assistant: You said two",
  ]);
  const { tasks } = (await ada.get("/api/tasks")).body;
  expect((await ada.get(`/api/tasks/${tasks[0].id}`)).body.task).toMatchObject({
    trigger: "chat",
    input: {
      message: "two",
      conversationId: conversation,
      history: [
        { role: "user", content: "one" },
        { role: "assistant", content: "You said one" },
      ],
    },
  });
  expect(await textsOf(slug, newId())).toEqual([]);
  await visitor.delete(`/api/chats/${slug}/conversations/${conversation}`);
  expect(await textsOf(slug, conversation)).toEqual([]);
});

test("an agent answers in parts while it writes, and remembers the conversation", async () => {
  const { agent } = (await ada.post("/api/agents", { name: "Helper", systemPrompt: "Be short." })).body;
  const { slug } = await addChat(null, { agentId: agent.id });
  const conversation = newId();
  model.answerWith("Good morning.");
  const events = await send(slug, conversation, "Hello?");
  const parts = events.filter(({ event }) => event === "text");
  expect(parts.map(({ text }) => text).join("")).toBe("Good morning.");
  expect(events.at(-1)).toEqual({ event: "finished", text: "Good morning." });
  await send(slug, conversation, "And now?");
  const sent = JSON.stringify(model.requests.at(-1));
  for (const text of ["Hello?", "Good morning.", "And now?"]) expect(sent).toContain(text);
});

test("an agent in a sub-workflow or behind a tool of another one remembers for the conversation, not for all visitors", async () => {
  const withTools = async (tools: object) =>
    (await ada.post("/api/agents", { name: "Clerk", tools: { workflows: [], documents: [], ...tools } })).body
      .agent.id;
  const clerk = await withTools({ memory: true });
  const inner = await addWorkflow([{ stepId: "ask", type: "agent", agentId: clerk, input: "Remember me" }]);
  const throughSub = await addWorkflow([{ stepId: "sub", type: "workflow", workflowId: inner, input: {} }]);
  const boss = await withTools({ workflows: [inner] });
  const throughTool = await addWorkflow([{ stepId: "boss", type: "agent", agentId: boss, input: "Go" }]);
  const toolOf = async (workflowId: string) => {
    await send((await addChat(workflowId)).slug, newId(), "Who are you?");
    const [request] = model.requests.splice(0);
    return request!.body.tools![0]!.function.name;
  };
  const call = await toolOf(throughTool);
  const remember = (value: string) => ({
    toolCalls: [{ name: "remember", arguments: { key: "name", value } }],
  });
  const callTool = { toolCalls: [{ name: call, arguments: { input: {} } }] };
  for (const workflowId of [throughSub, throughTool]) {
    const { slug } = await addChat(workflowId);
    for (const name of ["Ada", "Bob"]) {
      const answers = [remember(name), "Done."];
      model.answerWith(...(workflowId === throughSub ? answers : [callTool, ...answers]));
      await send(slug, newId(), `I am ${name}`);
    }
  }
  const { values } = (await ada.get("/api/store")).body;
  const kept = values.filter(({ scope }: { scope: string }) => scope.startsWith(clerk));
  expect(kept.map(({ value }: { value: string }) => value).toSorted()).toEqual(["Ada", "Ada", "Bob", "Bob"]);
  expect(kept.every(({ scope }: { scope: string }) => scope.startsWith(`${clerk}:`))).toBe(true);
});

test("the text of the step that answers is streamed, and that of no other step", async () => {
  const steps = [
    { stepId: "classify", type: "llm", prompt: "Classify {{input.message}}" },
    { stepId: "answer", type: "llm", prompt: "Answer {{input.message}} ({{steps.classify.output}})" },
  ];
  const workflowId = await addWorkflow(steps, [{ id: "e1", source: "classify", target: "answer" }]);
  const { slug } = await addChat(workflowId);
  model.answerWith("Same words.");
  const events = await send(slug, newId(), "Where is my order?");
  expect(
    events
      .filter(({ event }) => event === "text")
      .map(({ text }) => text)
      .join(""),
  ).toBe("Same words.");
  expect(model.requests).toHaveLength(2);
});

test("a message that is sent twice starts one run and gets the same answer", async () => {
  const { slug } = await addChat(await addWorkflow([ECHO]));
  const conversation = newId();
  const before = (await ada.get("/api/tasks?limit=200")).body.tasks.length;
  const options = { messageId: "same" };
  const answers = await Promise.all([1, 2, 3].map(() => send(slug, conversation, "once", options)));
  for (const events of answers) expect(events.at(-1)).toEqual({ event: "finished", text: "You said once" });
  expect((await ada.get("/api/tasks?limit=200")).body.tasks.length).toBe(before + 1);
  expect(await textsOf(slug, conversation)).toHaveLength(2);
});

test("[R5] an answer that nobody waited for, because the process or the visitor went away, is in the conversation", async () => {
  const { slug, id } = await addChat(await addWorkflow([ECHO]));
  const conversation = newId();
  await send(slug, conversation, "one");
  // As after a crash between the end of the run and the record of its answer.
  await app.sql(
    `update chat_exchange set status = 'running', answer = null where trigger_id = '${id}' returning id`,
  );
  expect(await textsOf(slug, conversation)).toEqual(["user: one", "assistant: You said one"]);
  // As after a crash before the run started: the visitor sends the same message again.
  await app.sql(`insert into chat_exchange (id, owner_id, trigger_id, conversation, message_id, message, status, created_at)
    values ('msg_zz', '${ada.user.id}', '${id}', '${conversation}', 'lost', 'two', 'running', 1) returning id`);
  expect((await send(slug, conversation, "two", { messageId: "lost" })).at(-1)).toMatchObject({
    event: "finished",
  });
});

test("visitors learn that an answer failed or waits for a person, and nothing else", async () => {
  const failing = [{ stepId: "a", type: "http", method: "GET", url: "http://secret.internal.invalid/" }];
  const { slug } = await addChat(await addWorkflow(failing));
  const events = await send(slug, newId(), "Hi");
  expect(events.at(-1)).toEqual({
    event: "failed",
    error: "execution_failed",
    message: "The answer failed. Try again.",
  });
  const asking = await addChat(await addWorkflow([{ stepId: "a", type: "approval", message: "Refund?" }]));
  const waiting = await send(asking.slug, newId(), "Hi");
  expect(waiting.at(-1)).toMatchObject({ event: "finished", text: expect.stringContaining("received") });
});

test("a chat behind a login is refused without one, and its conversations belong to the account", async () => {
  const { slug } = await addChat(await addWorkflow([ECHO]), { access: "login" });
  const bob = await registerUser(app, "bob");
  const conversation = newId();
  const body = { conversationId: conversation, messageId: "m", message: "Hi" };
  expect((await visitor.get(`/api/chats/${slug}`)).body.chat.loginRequired).toBe(true);
  expect(await visitor.post(`/api/chats/${slug}/messages`, body)).toMatchObject({ status: 401 });
  expect(
    await visitor.post(`/api/chats/${slug}/messages`, body, { authorization: "Bearer x" }),
  ).toMatchObject({
    status: 401,
  });
  expect((await send(slug, conversation, "Hi", { client: bob })).at(-1)).toMatchObject({ event: "finished" });
  expect(await textsOf(slug, conversation, bob)).toHaveLength(2);
  expect(await textsOf(slug, conversation, ada)).toEqual([]);
});

test("a paused or unknown chat is 404, a paused workflow 409, and invalid messages are 400", async () => {
  const workflowId = await addWorkflow([ECHO]);
  const { slug, id } = await addChat(workflowId);
  const post = (change: object) =>
    visitor.post(`/api/chats/${slug}/messages`, {
      conversationId: newId(),
      messageId: "m",
      message: "Hi",
      ...change,
    });
  expect((await post({ conversationId: "short" })).status).toBe(400);
  expect((await post({ message: "" })).status).toBe(400);
  expect((await post({ message: "x".repeat(8001) })).status).toBe(400);
  await ada.patch(`/api/workflows/${workflowId}`, { active: false });
  const paused = { status: 409, body: { error: "workflow_paused" } };
  expect(await post({})).toMatchObject(paused);
  // A visitor learns it before writing a message.
  expect(await visitor.get(`/api/chats/${slug}`)).toMatchObject(paused);
  await ada.patch(`/api/triggers/${id}`, { active: false });
  expect(await post({})).toMatchObject({ status: 404, body: { error: "chat_not_found" } });
  expect((await visitor.get(`/api/chats/${slug}`)).status).toBe(404);
  expect((await visitor.get("/api/chats/nobody")).status).toBe(404);
});

test("a chat whose workflow was deleted is 404 before a visitor writes", async () => {
  const workflowId = await addWorkflow([ECHO]);
  const { slug } = await addChat(workflowId);
  expect((await visitor.get(`/api/chats/${slug}`)).status).toBe(200);
  await ada.delete(`/api/workflows/${workflowId}`);
  expect(await visitor.get(`/api/chats/${slug}`)).toMatchObject({
    status: 404,
    body: { error: "chat_not_found" },
  });
});

test("an address is taken once, and a chat has a workflow or an agent of its owner", async () => {
  const workflowId = await addWorkflow([ECHO]);
  const { slug } = await addChat(workflowId);
  const create = (given: object) => ada.post("/api/triggers", { kind: "chat", ...given });
  expect(await create({ workflowId, settings: { slug } })).toMatchObject({
    status: 409,
    body: { error: "slug_taken" },
  });
  const { id } = await addChat(workflowId);
  expect((await ada.patch(`/api/triggers/${id}`, { settings: { slug } })).status).toBe(409);
  expect((await create({ settings: { slug: "free" } })).status).toBe(400);
  expect((await create({ workflowId, settings: { slug: "free", agentId: "agent_x" } })).status).toBe(400);
  expect((await create({ settings: { slug: "free", agentId: "agent_x" } })).status).toBe(404);
  expect((await create({ workflowId, settings: { slug: "Not A Slug" } })).status).toBe(400);
  expect(
    (await create({ workflowId, settings: { slug: "free", origins: ["https://a.example/path"] } })).status,
  ).toBe(400);
});

test("messages are limited by address and chat, and by what an owner keeps", async () => {
  const time = { now: Date.now() };
  const clock = { now: () => time.now, monotonic: () => performance.now() };
  const own = await useTestApp({ RATE_LIMIT_CHAT_PER_MINUTE: "3", CHAT_MESSAGES_PER_OWNER: "2" }, { clock });
  const bea = await registerUser(own, "bea");
  const { workflow } = (
    await bea.post("/api/workflows", { name: "w", metadata: { steps: [ECHO], edges: [] } })
  ).body;
  await bea.post("/api/triggers", { kind: "chat", workflowId: workflow.id, settings: { slug: "help" } });
  const post = async () =>
    own.anonymous.post("/api/chats/help/messages", {
      conversationId: newId(),
      messageId: "m",
      message: "Hi",
    });
  expect([(await post()).status, (await post()).status]).toEqual([200, 200]);
  expect(await post()).toMatchObject({
    status: 429,
    body: { details: { limit: "CHAT_MESSAGES_PER_OWNER" } },
  });
  expect(await post()).toMatchObject({ status: 429, body: { error: "rate_limited" } });
  expect((await bea.get("/api/limits")).body.limits).toContainEqual(
    expect.objectContaining({ name: "chat_messages", used: 2, limit: 2 }),
  );
  const paths = ["help", `help/conversations/${newId()}`, "nobody"];
  for (let n = 0; n < 30; n += 1) await own.anonymous.get(`/api/chats/${paths[n % 3]}`);
  for (const path of paths) expect((await own.anonymous.get(`/api/chats/${path}`)).status).toBe(429);
  expect((await own.anonymous.delete(`/api/chats/${paths[1]}`)).status).toBe(429);
});
