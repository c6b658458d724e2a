import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { AgentChatEvent } from "../contract/agent-chat.ts";
import { transformStep as value } from "./support/graphs.ts";
import { serverSentEvents } from "./support/server-sent-events.ts";
import { startStubModelServer, stubModelSettings } from "./support/stub-model-server.ts";
import { createTestApp, registerUser, useTestApp } from "./support/test-app.ts";

const model = await startStubModelServer();
const app = await createTestApp(stubModelSettings(model));
const base = await app.listen();
const ada = await registerUser(app, "ada");
afterAll(async () => {
  await app.close();
  await model.close();
});
beforeEach(() => void model.requests.splice(0));

const workflow = (
  await ada.post("/api/workflows", {
    name: "Refund requests",
    metadata: { steps: [value("end", { paid: "{{input.amount}}" })], edges: [] },
  })
).body.workflow.id as string;
const { agent } = (
  await ada.post("/api/agents", {
    name: "Returns",
    systemPrompt: "Be short.",
    tools: { workflows: [workflow], documents: [] },
  })
).body;

interface Chat {
  events: AgentChatEvent[];
  ended: Promise<void>;
  stop(): void;
}

/** Reads the stream of one answer. `onEvent` runs for each event as it arrives. */
async function chat(
  body: object,
  onEvent: (event: AgentChatEvent, all: AgentChatEvent[]) => unknown = () => undefined,
): Promise<Chat> {
  const gone = new AbortController();
  const response = await fetch(`${base}/api/agents/${agent.id}/chat`, {
    method: "POST",
    headers: { authorization: `Bearer ${ada.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: gone.signal,
  });
  const events: AgentChatEvent[] = [];
  async function read(): Promise<void> {
    for await (const event of serverSentEvents<AgentChatEvent>(response)) {
      events.push(event);
      await onEvent(event, events);
    }
  }
  return { events, ended: read(), stop: () => gone.abort() };
}

const said = (content: string) => ({ messages: [{ role: "user", content }] });
const kinds = (events: AgentChatEvent[]) => events.map(({ event }) => event);
const callTool = { toolCalls: [{ name: "run_refund_requests", arguments: { input: { amount: 64 } } }] };
const decide = (chatId: string, callId: string, allow: boolean) =>
  ada.post(`/api/agents/${agent.id}/chats/${chatId}/tool-calls/${callId}`, { allow });
const runs = async () => (await ada.get(`/api/tasks?workflowId=${workflow}`)).body.tasks.length as number;

/** Decides each tool call as soon as it is announced. */
function deciding(allow: boolean) {
  return async (event: AgentChatEvent, [first]: AgentChatEvent[]): Promise<void> => {
    if (event.event === "tool_call" && first?.event === "started")
      expect((await decide(first.chatId, event.id, allow)).status).toBe(200);
  };
}

describe("a chat with an agent", () => {
  test("streams the text word by word and ends with tokens and the model", async () => {
    model.answerWith("You can keep the lamp.");
    const { events, ended } = await chat(said("My lamp is broken."));
    await ended;
    const texts = events.flatMap((event) => (event.event === "text" ? [event.text] : []));
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.join("")).toBe("You can keep the lamp.");
    expect(events.at(-1)).toMatchObject({
      event: "finished",
      text: "You can keep the lamp.",
      model: "openai-compatible/stub-model",
      usage: { totalTokens: 20 },
      calls: [{ usage: { totalTokens: 20 } }],
    });
    expect(model.requests[0]?.body.messages[0]).toMatchObject({ role: "system", content: "Be short." });
  });

  test("runs a workflow only after it was allowed, and shows arguments and result", async () => {
    model.answerWith(callTool, "Refunded.");
    const before = await runs();
    let runsWhileAsking = -1;
    const { events, ended } = await chat(said("Refund me."), async (event, all) => {
      if (event.event === "tool_call") runsWhileAsking = await runs();
      await deciding(true)(event, all);
    });
    await ended;
    expect(kinds(events).filter((kind) => kind !== "text")).toEqual([
      "started",
      "tool_call",
      "tool_started",
      "tool_result",
      "finished",
    ]);
    expect(events.find(({ event }) => event === "tool_call")).toMatchObject({
      title: "Refund requests",
      input: { input: { amount: 64 } },
      asksFirst: true,
    });
    expect(events.find(({ event }) => event === "tool_result")).toMatchObject({
      output: { output: { paid: 64 } },
      failed: false,
      denied: false,
    });
    expect(events.at(-1)).toMatchObject({ usage: { totalTokens: 40 }, calls: [{}, {}] });
    expect(runsWhileAsking).toBe(before);
    expect(await runs()).toBe(before + 1);
  });

  test("runs nothing that was denied, and tells the model", async () => {
    model.answerWith(callTool, "Then not.");
    const before = await runs();
    const { events, ended } = await chat(said("Refund me."), deciding(false));
    await ended;
    expect(kinds(events)).not.toContain("tool_started");
    expect(events.find(({ event }) => event === "tool_result")).toMatchObject({ denied: true, failed: true });
    expect(events.at(-1)).toMatchObject({ event: "finished", text: "Then not." });
    expect(JSON.stringify(model.requests[1]?.body.messages)).toContain("did not allow");
    expect(await runs()).toBe(before);
  });

  test("ends when the client leaves while a tool waits, and a late decision is not found", async () => {
    model.answerWith(callTool, "Done.");
    const before = await runs();
    let ids: [string, string] | undefined;
    const open = await chat(said("Refund me."), (event, [first]) => {
      if (event.event === "tool_call" && first?.event === "started") ids = [first.chatId, event.id];
    });
    await expect.poll(() => ids).toBeDefined();
    open.stop();
    await open.ended.catch(() => undefined);
    await expect.poll(async () => (await decide(...ids!, false)).body.error).toBe("tool_call_not_found");
    expect(await runs()).toBe(before);
  });

  test("tries a draft without saving it, and refuses a workflow of another user in it", async () => {
    model.answerWith("Ahoy.");
    const draft = { systemPrompt: "Talk like a sailor.", tools: { workflows: [], documents: [] } };
    const { events, ended } = await chat({ ...said("Hello"), draft });
    await ended;
    expect(events.at(-1)).toMatchObject({ event: "finished", text: "Ahoy." });
    expect(model.requests[0]?.body.messages[0]).toMatchObject({ content: "Talk like a sailor." });
    expect(model.requests[0]?.body.tools).toBeUndefined();
    expect((await ada.get(`/api/agents/${agent.id}`)).body.agent.systemPrompt).toBe("Be short.");

    const bob = await registerUser(app, "bob");
    const foreign = (await bob.post("/api/workflows", { name: "Private" })).body.workflow.id as string;
    const refused = await ada.post(`/api/agents/${agent.id}/chat`, {
      ...said("Hello"),
      draft: { tools: { workflows: [foreign], documents: [] } },
    });
    expect(refused).toMatchObject({ status: 403, body: { error: "forbidden" } });
  });

  test("sends earlier tool calls with the conversation", async () => {
    model.answerWith("As I said.");
    const toolCalls = [
      {
        id: "call_9",
        name: "run_refund_requests",
        input: { input: {} },
        output: { paid: 64 },
        failed: false,
      },
    ];
    const { ended } = await chat({
      messages: [
        { role: "user", content: "Refund me." },
        { role: "assistant", content: "Refunded.", toolCalls },
        { role: "user", content: "How much?" },
      ],
    });
    await ended;
    const { messages } = model.requests[0]!.body;
    expect(messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect(JSON.stringify(messages[3])).toContain("64");
  });

  test("keeps to the limits of the agent", async () => {
    model.answerWith(callTool);
    const draft = { limits: { modelCalls: 2 } };
    const { events, ended } = await chat({ ...said("Refund me."), draft }, deciding(true));
    await ended;
    expect(events.at(-1)).toMatchObject({ event: "failed", error: "agent_stopped" });
    expect(model.requests).toHaveLength(2);
    const saved = await ada.patch(`/api/agents/${agent.id}`, { limits: { modelCalls: 3, tokens: 500 } });
    expect(saved.body.agent.limits).toEqual({ modelCalls: 3, tokens: 500 });
    expect((await ada.patch(`/api/agents/${agent.id}`, { limits: { modelCalls: 0 } })).status).toBe(400);
  });

  test("ends with the error of the model", async () => {
    model.answerWith({ status: 401 });
    const { events, ended } = await chat(said("Hello"));
    await ended;
    expect(events.at(-1)).toMatchObject({ event: "failed", error: "model_failed" });
    expect(JSON.stringify(events)).not.toContain("sk-stub-key");
  });

  test("without a model is refused before the stream, with the setting to make", async () => {
    const bare = await useTestApp();
    const eve = await registerUser(bare, "eve");
    const { id } = (await eve.post("/api/agents", { name: "Mute" })).body.agent;
    const refused = await eve.post(`/api/agents/${id}/chat`, said("Hello"));
    expect(refused).toMatchObject({ status: 503, body: { error: "llm_not_configured" } });
    expect(refused.body.message).toContain("LLM_PROVIDER");
  });

  test("is refused for a conversation that does not end with the user", async () => {
    const messages = [{ role: "assistant", content: "Hello" }];
    expect((await ada.post(`/api/agents/${agent.id}/chat`, { messages })).status).toBe(400);
  });
});
