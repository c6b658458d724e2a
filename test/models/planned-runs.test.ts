import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestApp, registerUser, type RegisteredUser, type TestApp } from "../support/test-app.ts";

const orders = [
  { id: 1, status: "open", price: 30 },
  { id: 2, status: "paid", price: 10 },
  { id: 3, status: "open", price: 20 },
];
/** The received calls with their bodies. */
const calls: string[] = [];
const shop = createServer((request, response) => {
  let body = "";
  request.on("data", (piece: Buffer) => (body += piece.toString()));
  request.on("end", () => {
    calls.push(`${request.method} ${request.url} ${body}`.trim());
    response.statusCode = request.url === "/missing" ? 404 : 200;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(request.url === "/orders" ? orders : { ok: true }));
  });
});
let app: TestApp;
let user: RegisteredUser;
let shopUrl: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  app = await createTestApp({ RATE_LIMIT_GENERATE_PER_MINUTE: "0" });
  user = await registerUser(app);
});
beforeEach(() => calls.splice(0));
afterAll(async () => {
  await app.close();
  await new Promise((resolve) => shop.close(resolve));
});

/** From the prompt to the finished task. */
async function run(prompt: string, input: unknown = {}) {
  const { body } = await user.post("/api/workflows/generate-ai", { prompt });
  expect(body).toMatchObject({ ok: true, warnings: [] });
  const started = await user.post(`/api/workflows/${body.workflow.id}/run?wait=true`, { input });
  return (await user.get(`/api/tasks/${started.body.taskId}`)).body.task;
}

test("filtered, sorted, saved and read back: every placeholder finds its value", async () => {
  const task = await run(
    `Fetch ${shopUrl}/orders, keep only items with status open, sort by price and save as open.json. Then read open.json.`,
  );
  expect(task).toMatchObject({ status: "completed", error: null });
  expect(JSON.parse(task.result.output)).toEqual([orders[2], orders[0]]);
});

test("each fetched item is sent on its own", async () => {
  const task = await run(`Fetch ${shopUrl}/orders. For each order, PUT it to ${shopUrl}/orders/{id}`);
  expect(task.status).toBe("completed");
  expect(calls.toSorted()).toEqual([
    "GET /orders",
    ...orders.map((order) => `PUT /orders/${order.id} ${JSON.stringify(order)}`),
  ]);
});

test("a loop over text iterates over its lines", async () => {
  const task = await run(
    `Append 'one' to lines.txt, append 'two' to lines.txt, read lines.txt, and for each line post it to ${shopUrl}/line`,
  );
  expect(task.status).toBe("completed");
  expect(calls.toSorted()).toEqual(["POST /line one", "POST /line two"]);
});

test("a condition takes one branch, and a step after both branches runs either way", async () => {
  const prompt = `If the total is over 100, post it to ${shopUrl}/big, otherwise post it to ${shopUrl}/small. Finally fetch ${shopUrl}/done.`;
  expect((await run(prompt, { total: 150 })).status).toBe("completed");
  expect((await run(prompt, { total: 50 })).status).toBe("completed");
  expect(calls).toEqual(['POST /big {"total":150}', "GET /done", 'POST /small {"total":50}', "GET /done"]);
});

test("a failure that the prompt mentions is handled with the error available", async () => {
  const task = await run(`Fetch ${shopUrl}/missing. If the request fails, post it to ${shopUrl}/alert.`);
  expect(task.status).toBe("completed");
  expect(calls[1]).toMatch(/^POST \/alert \{"code":"http_error","message":".*404/);
});

test("two addresses are called in parallel, and both responses are available", async () => {
  const task = await run(
    `Fetch ${shopUrl}/orders and ${shopUrl}/stock, combine them and save as all.json. Then read all.json.`,
  );
  expect(JSON.parse(task.result.output)).toEqual({ fetch: orders, "fetch-2": { ok: true } });
});

test("an approval pauses the run until a decision", async () => {
  const { body } = await user.post("/api/workflows/generate-ai", {
    prompt: `Ask me for approval, then post it to ${shopUrl}/approved`,
  });
  const started = await user.post(`/api/workflows/${body.workflow.id}/run?wait=true`, { input: { x: 1 } });
  expect([started.body.status, calls]).toEqual(["waiting_approval", []]);
  await user.post(`/api/tasks/${started.body.taskId}/resume`, {});
  await expect
    .poll(async () => (await user.get(`/api/tasks/${started.body.taskId}`)).body.task.status)
    .toBe("completed");
  expect(calls).toEqual(['POST /approved {"x":1}']);
});
