import { expect, test } from "vitest";
import type { RunnableWorkflow } from "../engine/engine-api.ts";
import type { LanguageModels, TextRequest } from "../models/language-model.ts";
import type { AgentRecord } from "./agent.sql.ts";
import { type AppOffers, createAppTools } from "./app-tools.ts";
import { createAgentRunner } from "./run-agent.ts";

const inputSchema = { type: "object" as const, properties: { text: { type: "string" as const } } };
const offers: AppOffers = {
  actions: (_owner, id) =>
    Promise.resolve(
      id === "slack"
        ? {
            title: "Slack",
            actions: [
              {
                id: "send_message",
                title: "Send a message",
                description: "Posts.",
                writes: true,
                inputSchema,
              },
              {
                id: "list_messages",
                title: "List messages",
                description: "Reads.",
                writes: false,
                inputSchema,
              },
              {
                id: "add_reaction",
                title: "Add a reaction",
                description: "Adds.",
                writes: true,
                inputSchema,
              },
            ],
          }
        : undefined,
    ),
};
const agentWith = (apps: NonNullable<AgentRecord["tools"]["apps"]>) =>
  ({
    id: "agent_1",
    ownerId: "user_1",
    tools: { workflows: [], documents: [], apps },
    limits: {},
  }) as unknown as AgentRecord;
const slack = { app: "slack", connection: "conn_1" };

function open() {
  const started: { workflow: RunnableWorkflow; input: unknown }[] = [];
  const start = (workflow: RunnableWorkflow, input: unknown) => {
    started.push({ workflow, input });
    return Promise.resolve("sent");
  };
  return { started, tools: (agent: AgentRecord) => createAppTools(offers, agent, [], start) };
}

test("reading is allowed, writing asks first, and an agent may say otherwise for each action", async () => {
  const { tools } = open();
  const permissionsOf = async (more: object) =>
    (await tools(agentWith([{ ...slack, ...more }]))).map(({ name, asksFirst }) => [name, asksFirst]);
  expect(await permissionsOf({})).toEqual([
    ["slack_send_message", true],
    ["slack_list_messages", false],
    ["slack_add_reaction", true],
  ]);
  const permissions = { send_message: "allow", list_messages: "ask", add_reaction: "never" };
  expect(await permissionsOf({ permissions })).toEqual([
    ["slack_send_message", false],
    ["slack_list_messages", true],
  ]);
  expect(await permissionsOf({ actions: ["list_messages"] })).toEqual([["slack_list_messages", false]]);
  expect(await tools(agentWith([{ app: "gone", connection: "conn_1" }]))).toEqual([]);
});

test("a tool runs the action as a task, with the connection of the agent and no other", async () => {
  const { tools, started } = open();
  const [tool] = await tools(agentWith([slack]));
  expect(tool).toMatchObject({ title: "Slack: Send a message", inputSchema });
  expect(await tool!.execute({ text: "Hi", connection: "conn_other" }, AbortSignal.timeout(1000))).toBe(
    "sent",
  );
  expect(started).toMatchObject([
    {
      workflow: { id: "call_app_action", ownerId: "user_1" },
      input: { app: "slack", action: "send_message", connection: "conn_1", input: { text: "Hi" } },
    },
  ]);
});

test("where nobody watches, an action that asks waits for an approval first, and an allowed one runs at once", async () => {
  const { tools, started } = open();
  const results: unknown[] = [];
  const models = {
    get: () => ({
      provider: "test",
      model: "test",
      async generateText({ tools: offered = [] }: TextRequest) {
        for (const tool of offered)
          results.push(await tool.execute({ text: "Hi" }, AbortSignal.timeout(1000)));
        return { text: "Done", steps: [], usage: {}, answeredBy: "test" };
      },
    }),
  } as unknown as LanguageModels;
  const runAgent = createAgentRunner({
    openModel: ({ ownerId, provider, model }) => Promise.resolve(models.get({ ownerId, provider, model })),
    toolsFor: tools,
  });
  await runAgent({
    agent: agentWith([{ ...slack, actions: ["send_message", "list_messages"] }]),
    messages: [],
    context: { ownerId: "user_1", trigger: "workflow", depth: 0 } as never,
    signal: AbortSignal.timeout(1000),
  });
  expect(results).toEqual(["sent", "sent"]);
  expect(started.map(({ workflow }) => workflow.id)).toEqual(["call_approved_app_action", "call_app_action"]);
});
