import { afterAll, expect, test } from "vitest";
import { transformStep } from "../support/graphs.ts";
import { startStubModelServer, stubModelSettings } from "../support/stub-model-server.ts";
import type { RegisteredUser } from "../support/test-app.ts";
import { createTeamWorkspace, inWorkspace } from "../support/workspaces.ts";
import { createGraph, openStep, stepNode } from "./support/builder.ts";
import { checkScreen, savedGraph, seriousFindings, useVisits, waitForSave } from "./support/visit.ts";

const model = await startStubModelServer();
afterAll(() => model.close());
const visit = useVisits(stubModelSettings(model));

const refund = { toolCalls: [{ name: "run_refund_requests", arguments: { input: { amount: 64.2 } } }] };

async function returnsAgent(user: RegisteredUser): Promise<{ agent: string; workflow: string }> {
  const workflow = (
    await user.post("/api/workflows", {
      name: "Refund requests",
      metadata: { steps: [transformStep("end", { refunded: "{{input.amount}}" })], edges: [] },
    })
  ).body.workflow.id as string;
  const { agent } = (
    await user.post("/api/agents", {
      name: "Returns assistant",
      systemPrompt: "You answer questions about orders and returns.",
      tools: { workflows: [workflow], documents: [] },
    })
  ).body;
  return { agent: agent.id as string, workflow };
}

test("an agent is tried: a tool asks first, runs once it is allowed, and is traced", async () => {
  const user = await visit.register("tester");
  const { agent, workflow } = await returnsAgent(user);
  const runs = async () => (await user.get(`/api/tasks?workflowId=${workflow}`)).body.tasks.length as number;
  model.answerWith(refund, "You get **64.20 euros** back.");
  const page = await visit.open(`/agents/${agent}`, { user });
  const chat = page.getByRole("log");
  await page.getByLabel("Message").fill("My lamp is broken.");
  await page.getByLabel("Message").press("Control+Enter");
  const question = page.getByRole("group", { name: "Permission for Refund requests" });
  await question.waitFor();
  await page.getByLabel("Trace").getByText("Waiting for you").waitFor();
  expect(await runs()).toBe(0);
  await checkScreen(page, "agent-playground-asks");
  await question.getByRole("button", { name: "Allow once" }).click();
  await chat.getByText("64.20 euros").waitFor();
  expect(await runs()).toBe(1);

  await chat.getByText("amount: 64.2").first().click();
  await chat.getByRole("heading", { name: "Result" }).waitFor();
  await chat.getByText("refunded", { exact: false }).first().waitFor();
  await page.getByLabel("Trace").getByText("2 model calls · 1 tool call").waitFor();
  await chat.getByText(/40 tokens/).waitFor();
  await checkScreen(page, "agent-playground");

  model.answerWith(refund, "Then I leave it.");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: "Deny" }).click();
  await chat.getByText("Then I leave it.").waitFor();
  await chat.getByText("Denied").waitFor();
  expect(await runs()).toBe(1);

  await page.reload();
  await chat.getByText("Then I leave it.").waitFor();
  await page.getByRole("button", { name: "New chat" }).click();
  await chat.getByText("Then I leave it.").waitFor({ state: "detached" });
});

test("a viewer reads the configuration of an agent and is not invited to chat", async () => {
  const viewer = await visit.register("reader");
  const owner = await visit.register("agent-owner");
  const workspace = await createTeamWorkspace(owner, [[viewer, "viewer"]]);
  const { agent } = await returnsAgent(inWorkspace(owner, workspace));
  const page = await visit.open("/settings", { user: viewer });
  await page.evaluate(`localStorage.setItem("baton.workspace", ${JSON.stringify(workspace)})`);
  await page.goto(`${visit.base}/agents/${agent}`);
  await page.getByText("Your role cannot chat with the agent. Needs the role Operator.").waitFor();
  expect(await page.getByText("Send a message").count()).toBe(0);
  expect(await page.getByLabel("Message").count()).toBe(0);
});

test("an agent answers at a chat page that its screen creates, changes, pauses and deletes", async () => {
  const user = await visit.register("sharer");
  const { agent } = await returnsAgent(user);
  const page = await visit.open(`/agents/${agent}`, { user });
  await page.getByRole("button", { name: "Chat page" }).click();
  const dialog = page.getByRole("dialog", { name: "Chat page of Returns assistant" });
  await dialog.getByLabel("Greeting").fill("What do you return?");
  await dialog.getByRole("button", { name: "Create chat" }).click();
  await dialog.getByRole("link", { name: `${visit.base}/chat/returns-assistant` }).waitFor();
  await checkScreen(page, "agent-chat-page");
  const chats = async () => (await user.get("/api/triggers")).body.triggers;
  expect(await chats()).toMatchObject([
    { kind: "chat", workflowId: null, settings: { agentId: agent, greeting: "What do you return?" } },
  ]);

  model.answerWith("Send it back.");
  const visitor = await visit.open("/chat/returns-assistant");
  await visitor.getByText("What do you return?").waitFor();
  await visitor.getByRole("textbox").fill("A lamp");
  await visitor.keyboard.press("Enter");
  await visitor.getByText("Send it back.").waitFor();

  await dialog.getByLabel("Title").fill("Returns");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.poll(async () => (await chats())[0].settings.title).toBe("Returns");
  await dialog.getByRole("switch", { name: "Active" }).click();
  await dialog.getByRole("switch", { name: "Paused" }).waitFor();
  await dialog.getByRole("button", { name: "Delete chat" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await dialog.getByRole("button", { name: "Create chat" }).waitFor();
  expect(await chats()).toEqual([]);
});

test("a changed configuration is tried before it is saved", async () => {
  const user = await visit.register("drafter");
  const { agent } = await returnsAgent(user);
  model.answerWith("Ahoy.");
  const page = await visit.open(`/agents/${agent}`, { user });
  await page.getByLabel("Instructions").fill("Talk like a sailor.");
  await page.getByText("Draft · instructions changed").waitFor();
  await page.getByRole("switch", { name: "Refund requests" }).uncheck();
  await page.getByText("Draft · instructions and tools changed").waitFor();
  await page.getByLabel("Message").fill("Hello");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("log").getByText("Ahoy.").waitFor();
  const { body } = model.requests.at(-1)!;
  expect(body.messages[0]).toMatchObject({ role: "system", content: "Talk like a sailor." });
  expect(body.tools).toBeUndefined();
  const saved = async () => (await user.get(`/api/agents/${agent}`)).body.agent;
  expect((await saved()).systemPrompt).toBe("You answer questions about orders and returns.");

  await page.getByText("Limits", { exact: true }).click();
  await page.getByLabel("Model calls per answer").fill("3");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await page.getByText("Draft ·").waitFor({ state: "detached" });
  expect(await saved()).toMatchObject({
    systemPrompt: "Talk like a sailor.",
    tools: { workflows: [], documents: [] },
    limits: { modelCalls: 3 },
  });
  await page.getByRole("button", { name: "Add" }).click();
  await page
    .getByRole("combobox", { name: "Search workflows, documents, MCP servers and apps" })
    .fill("refund");
  await page.keyboard.press("Enter");
  await page.getByRole("switch", { name: "Refund requests" }).waitFor();
  await page.getByText("Draft · tools changed").waitFor();

  await page.getByLabel("Message").press("ArrowUp");
  expect(await page.getByLabel("Message").inputValue()).toBe("Hello");
});

test.each([
  [390, "dark"],
  [1024, "light"],
] as const)("the playground is usable at %i px in the %s theme", async (width, theme) => {
  const user = await visit.register("narrow");
  const { agent } = await returnsAgent(user);
  model.answerWith(refund, "Done.");
  const page = await visit.open(`/agents/${agent}`, { user, width, theme });
  await page.getByLabel("Message").fill("My lamp is broken.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("button", { name: "Allow once" }).click();
  await page.getByRole("log").getByText("Done.").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  for (const part of ["Trace", "Configuration"]) {
    await page.getByRole("radio", { name: part }).click();
    await checkScreen(page, `agent-${part}-${width}`);
  }
  await page.getByLabel("Instructions").waitFor();
});

test("without a model the playground names the settings", async () => {
  // In this service a model is configured, so the answer of the service is replaced.
  const user = await visit.register("modelless");
  const { agent } = await returnsAgent(user);
  const page = await visit.open("/agents", { user });
  await page.route("**/api/models", (route) => route.fulfill({ json: { ok: true, models: [] } }));
  await page.goto(`${visit.base}/agents/${agent}`);
  await page.getByRole("log").getByText("LLM_PROVIDER").waitFor();
  await page.getByLabel("Message").fill("Hello");
  expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
});

test("a step that calls an agent creates it in place and leads to its tools", async () => {
  const user = await visit.register("calls-agents");
  const { agent: first } = await returnsAgent(user);
  const steps = [{ stepId: "ask", type: "agent", agentId: first, input: "Hello" }];
  const id = await createGraph(user, { steps, edges: [] });
  const page = await visit.open(`/workflows/${id}`, { user });
  await openStep(page, "ask");
  await page.getByRole("button", { name: "New agent" }).click();
  await page.getByRole("dialog", { name: "New agent" }).getByLabel("Name").fill("Support");
  await page.getByRole("button", { name: "Create agent" }).click();
  await page.getByRole("dialog", { name: "New agent" }).waitFor({ state: "detached" });
  await waitForSave(page);
  const { agentId } = (await savedGraph(user, id)).steps[0];
  expect((await user.get(`/api/agents/${agentId}`)).body.agent.name).toBe("Support");
  await stepNode(page, "ask").getByText("Agent · Support").waitFor();
  await page.getByRole("link", { name: "Edit instructions and tools" }).click();
  await page.getByRole("heading", { name: "Support" }).waitFor();
});

test("the run of a step that calls an agent lists what the agent has called", async () => {
  const user = await visit.register("reads-calls");
  const { agent, workflow } = await returnsAgent(user);
  model.answerWith(refund, "You get 64.20 euros back.");
  const steps = [{ stepId: "ask", type: "agent", agentId: agent, input: "My lamp is broken." }];
  const id = await createGraph(user, { steps, edges: [] });
  const { taskId } = (await user.post(`/api/workflows/${id}/run?wait=true`, {})).body;
  const page = await visit.open(`/runs/${taskId}?step=ask`, { user });
  await page.getByRole("tab", { name: /Tool calls/ }).click();
  const calls = page.getByRole("region", { name: "Tool calls" });
  await calls.getByText("Refund requests", { exact: true }).click();
  await calls.getByText("refunded", { exact: false }).first().waitFor();
  await checkScreen(page, "run-tool-calls");
  const { tasks } = (await user.get(`/api/tasks?workflowId=${workflow}`)).body;
  expect(await page.getByRole("link", { name: "Open agent" }).getAttribute("href")).toBe(`/agents/${agent}`);
  await calls.getByRole("link", { name: "Open the run" }).click();
  await page.waitForURL(`**/runs/${tasks[0].id}*`);
});
