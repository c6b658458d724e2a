import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { until, useTeamApp } from "./team-app.ts";

/** A shop that records what is created. */
async function useShop() {
  const created: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      created.push(body);
      response.setHeader("content-type", "application/json").end('{"id":7}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const body = { type: "object", required: ["name"], properties: { name: { type: "string" } } };
  const document = {
    openapi: "3.1.0",
    info: { title: "Shop" },
    servers: [{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }],
    components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Api-Key" } } },
    security: [{ key: [] }],
    paths: {
      "/items": {
        post: {
          operationId: "createItem",
          summary: "Create an item",
          requestBody: { required: true, content: { "application/json": { schema: body } } },
        },
      },
    },
  };
  return { created, document: JSON.stringify(document) };
}

/** A workflow whose agent creates a cup in the shop and then repeats what the tool returned. */
async function useShoppingAgent() {
  const shop = await useShop();
  const { ada, stub } = await useTeamApp();
  const { app } = (await ada.post("/api/apps/import", { document: shop.document })).body;
  const { connection } = (
    await ada.post("/api/connections", {
      kind: "api_key",
      app: app.id,
      name: "Shop",
      secrets: { key: "k-123456" },
    })
  ).body;
  const { agent } = (
    await ada.post("/api/agents", {
      name: "Ann",
      tools: { apps: [{ app: app.id, connection: connection.id, actions: ["create_item"] }] },
    })
  ).body;
  stub.answerWith(({ messages, tools = [] }) => {
    const last = messages.at(-1);
    if (last?.role === "tool") return `The tool said: ${JSON.stringify(last.content)}`;
    return { toolCalls: [{ name: tools[0]!.function.name, arguments: { name: "Cup" } }] };
  });
  const steps = [{ stepId: "ann", type: "agent", agentId: agent.id, input: "Create a cup" }];
  const { workflow } = (await ada.post("/api/workflows", { name: "Shop", metadata: { steps, edges: [] } }))
    .body;
  const { taskId } = (await ada.post(`/api/workflows/${workflow.id}/run`, {})).body;
  const { body } = await until(
    () => ada.get("/api/approvals"),
    (answer) => answer.body.approvals.length > 0,
  );
  const [approval] = body.approvals;
  const answer = async (): Promise<string> => {
    const ended = await until(
      () => ada.get(`/api/tasks/${taskId}`),
      ({ body: { task } }) => task.status !== "running" && task.status !== "queued",
    );
    return String(ended.body.task.result?.output);
  };
  return { ada, shop, approval, answer };
}

test("an agent's action that asks waits under Approvals with its input, and runs once it is approved", async () => {
  const { ada, shop, approval, answer } = await useShoppingAgent();
  expect(approval).toMatchObject({
    stepId: "ask",
    message: "Allow Ann to use Shop: Create an item?",
    context: { name: "Cup" },
  });
  expect(shop.created).toEqual([]);
  const decided = await ada.post(`/api/tasks/${approval.taskId}/resume`, { decision: "approve" });
  expect(decided.status).toBe(200);
  expect(await answer()).toContain('\\"id\\":7');
  expect(shop.created.map((body) => JSON.parse(body))).toEqual([{ name: "Cup" }]);
});

test("a rejected action is not called, and the agent receives an error", async () => {
  const { ada, shop, approval, answer } = await useShoppingAgent();
  await ada.post(`/api/tasks/${approval.taskId}/resume`, { decision: "reject" });
  expect(await answer()).toContain("reject");
  expect(shop.created).toEqual([]);
});
