import { describe, expect, test } from "vitest";
import { shareApp } from "../support/shared-app.ts";
import { connectClient, type ConnectOptions, createKey, exposeWorkflow, text, VERSIONS } from "./mcp-app.ts";

const { app, alice } = await shareApp(["alice"]);
const url = await app.listen();
const key = await createKey(alice);
await exposeWorkflow(alice, "greet", [text("greeting", { hello: "{{input.name}}" })], {
  description: "Greets a person.",
  inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
});
await exposeWorkflow(alice, "three-steps", [text("one", "1"), text("two", "2"), text("three", "3")]);
await exposeWorkflow(alice, "break", [{ stepId: "http", type: "http", url: "http://127.0.0.1:1/" }]);
await exposeWorkflow(alice, "publish", [
  { stepId: "review", type: "approval", message: "Publish {{input.title}}?" },
  text("published", { by: "{{steps.review.output.decidedBy}}", why: "{{steps.review.output.comment}}" }),
]);

await exposeWorkflow(alice, "sign", [
  { stepId: "review", type: "approval", message: "Sign?", approvers: alice.user.email },
]);

const connect = (options: Omit<ConnectOptions, "key">) => connectClient(url, { key, ...options });

describe.each(VERSIONS)("version %s", (version) => {
  test("a client lists the exposed workflows and calls one", async () => {
    const client = await connect({ version });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["break", "greet", "publish", "sign", "three-steps"]);
    expect(tools[1]).toMatchObject({
      title: "The greet",
      description: "Greets a person.",
      inputSchema: { properties: { name: { type: "string" } }, required: ["name"] },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    const result = await client.callTool({ name: "greet", arguments: { name: "Ann" } });
    expect(result).toMatchObject({ structuredContent: { hello: "Ann" } });
    const taskId = result._meta?.["baton/taskId"] as string;
    const { body } = await alice.get(`/api/tasks/${taskId}`);
    expect(body.task).toMatchObject({ status: "completed", trigger: "mcp", input: { name: "Ann" } });
  });

  test("an invalid input and a failed run are error results with a sentence", async () => {
    const client = await connect({ version });
    const invalid = await client.callTool({ name: "greet", arguments: {} });
    expect(invalid).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("name") }] });
    const failed = await client.callTool({ name: "break", arguments: {} });
    expect(failed).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^The run failed: /) }],
      _meta: { "baton/taskId": expect.stringMatching(/^task_/) },
    });
  });

  test("progress is reported step by step", async () => {
    const client = await connect({ version });
    const seen: object[] = [];
    const onprogress = (progress: object) => void seen.push(progress);
    const result = await client.callTool({ name: "three-steps", arguments: {} }, { onprogress });
    expect(result).toMatchObject({ structuredContent: { output: "3" } });
    expect(seen).toMatchObject([
      { progress: 0, total: 3, message: expect.stringMatching(/^Run task_/) },
      { progress: 1, total: 3, message: "one completed" },
      { progress: 2, total: 3 },
      { progress: 3, total: 3, message: "three completed" },
    ]);
  });

  test("an approval is asked of the client's user, whose answer continues the run", async () => {
    const client = await connect({ version, capabilities: { elicitation: { form: {} } } });
    const asked: unknown[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params);
      return { action: "accept", content: { comment: "Good." } };
    });
    const result = await client.callTool({ name: "publish", arguments: { title: "News" } });
    expect(asked).toMatchObject([
      { message: "Publish News?", requestedSchema: { properties: { comment: { type: "string" } } } },
    ]);
    expect(result).toMatchObject({ structuredContent: { by: "mcp: my client", why: "Good." } });
  });

  test("a declined approval ends the run", async () => {
    const client = await connect({ version, capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler("elicitation/create", () => ({ action: "decline" }));
    const result = await client.callTool({ name: "publish", arguments: { title: "News" } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: "The run failed: A person rejected the run." }],
    });
  });

  test("a client without forms learns where to approve", async () => {
    const client = await connect({ version });
    const result = await client.callTool({ name: "publish", arguments: { title: "News" } });
    const taskId = result._meta?.["baton/taskId"] as string;
    expect(result).toMatchObject({
      structuredContent: { status: "waiting_approval", taskId, url: `${url}/runs/${taskId}` },
    });
    expect(JSON.stringify(result)).toContain(`Approve or reject it at ${url}/runs/${taskId}`);
  });

  test("a client is not asked what approvers must decide, and learns where they do", async () => {
    const client = await connect({ version, capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: {} }));
    const result = await client.callTool({ name: "sign", arguments: {} });
    const taskId = result._meta?.["baton/taskId"] as string;
    expect(result).toMatchObject({ structuredContent: { status: "waiting_approval", taskId } });
    expect((await alice.get(`/api/tasks/${taskId}/decisions`)).body.decisions).toEqual([]);
    expect((await alice.post(`/api/tasks/${taskId}/resume`)).body.status).toBe("running");
  });

  test("templates are prompts that take arguments", async () => {
    const client = await connect({ version });
    const { prompts } = await client.listPrompts();
    expect(prompts.find(({ name }) => name === "approval-before-publishing")).toMatchObject({
      title: "Approval before publishing",
      arguments: [{ name: "title" }, { name: "text" }],
    });
    const { messages } = await client.getPrompt({
      name: "approval-before-publishing",
      arguments: { title: "Autumn news" },
    });
    expect(messages).toMatchObject([
      { role: "user", content: { text: expect.stringContaining("- title: Autumn news") } },
    ]);
    await expect(client.getPrompt({ name: "no-such-prompt" })).rejects.toMatchObject({ code: -32_602 });
  });
});
