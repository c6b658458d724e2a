import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createTestApp,
  registerUser,
  type RegisteredUser,
  type TestApp,
  useTestApp,
} from "./support/test-app.ts";

let app: TestApp;
let address: string;
let alice: RegisteredUser;
beforeAll(async () => {
  app = await createTestApp();
  address = await app.listen();
  alice = await registerUser(app, "alice");
});
afterAll(() => app.close());

/** What a newcomer does: take a starter, press Run, look at the task. */
async function runStarter(id: string, input: unknown = {}, user = alice) {
  const { workflow } = (await user.post(`/api/templates/import/${id}`)).body;
  const { taskId } = (await user.post(`/api/workflows/${workflow.id}/run?wait=true`, { input })).body;
  return (await user.get(`/api/tasks/${taskId}`)).body.task;
}

const fileOf = (path: string) => readFile(join(app.dataDir, "files", alice.user.id, path), "utf8");

test("daily-report appends the fetched data to the report on every run", async () => {
  for (let i = 0; i < 2; i++)
    expect(await runStarter("daily-report", { url: `${address}/health` })).toMatchObject({
      status: "completed",
    });
  expect((await fileOf("reports/daily.md")).match(/From http.*\/health:\n\n\{"ok":true\}/g)).toHaveLength(2);
});

test("starters that call the service itself work without an input", async () => {
  const carol = await registerUser(await useTestApp({ PUBLIC_URL: address }), "carol");
  expect(await runStarter("daily-report", {}, carol)).toMatchObject({ status: "completed" });
  const { result } = await runStarter("fan-out-and-join", {}, carol);
  expect(result.output).toMatchObject({ health: "completed", ready: "completed", metrics: "completed" });
});

test("webhook-log writes one JSON line per event, also for an empty one", async () => {
  await runStarter("webhook-log", { order: 7 });
  const { id } = await runStarter("webhook-log");
  const lines = (await fileOf("webhooks/events.jsonl")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { receivedAt: expect.any(String), task: expect.any(String), event: { order: 7 } },
    { receivedAt: expect.any(String), task: id, event: {} },
  ]);
});

test("approval-before-publishing publishes nothing before the approval", async () => {
  const task = await runStarter("approval-before-publishing", { title: "News" });
  expect(task.status).toBe("waiting_approval");
  await expect(fileOf("published/post.md")).rejects.toThrow("ENOENT");
  await alice.post(`/api/tasks/${task.id}/resume`, { comment: "Good." });
  await expect
    .poll(async () => (await alice.get(`/api/tasks/${task.id}`)).body.task.status)
    .toBe("completed");
  expect(await fileOf("published/post.md")).toMatch(/^# News\n.*Good\.\n$/s);
});

test.each([
  [{ kind: "invoice", text: "42 EUR" }, "invoices", false],
  [{ kind: "complaint", text: "Too late" }, "complaints", true],
  [{ kind: "poem", text: "Roses" }, "other", false],
  [{}, "other", false],
])("switch-by-kind sends %j to %s", async (input, folder, urgent) => {
  const task = await runStarter("switch-by-kind", input);
  expect(task).toMatchObject({ status: "completed", result: { output: { folder, urgent } } });
  expect(await fileOf(`messages/${folder}.log`)).toContain("text" in input ? input.text : "Z ");
});

test("fan-out-and-join reports which of the three calls succeeded", async () => {
  const well = await runStarter("fan-out-and-join", { service: address });
  expect(well.result.output).toMatchObject({ health: "completed", ready: "completed", metrics: "completed" });
  const unavailable = await runStarter("fan-out-and-join", { service: `${address}/nowhere` });
  expect(unavailable).toMatchObject({
    status: "completed",
    result: { output: { health: "failed", ready: "failed" } },
  });
});

test("retry-with-error-path logs the failure and completes", async () => {
  const task = await runStarter("retry-with-error-path");
  expect(task).toMatchObject({
    status: "completed",
    result: { output: { reached: false, reason: expect.stringMatching(/./) } },
  });
  const call = task.stepResults.find(({ stepId }: { stepId: string }) => stepId === "call");
  expect(call).toMatchObject({ status: "failed", attempts: 3 });
  expect(await fileOf("errors/calls.log")).toContain("http://127.0.0.1:9/: ");
  const reached = await runStarter("retry-with-error-path", { url: `${address}/health` });
  expect(reached.result.output).toEqual({ reached: true, answer: { ok: true } });
});

test("each-item sums the list, or its example list without an input", async () => {
  expect((await runStarter("each-item")).result.output).toEqual({
    lines: [
      { name: "Pencil", total: 6 },
      { name: "Paper", total: 10 },
    ],
    total: 16,
  });
  const one = await runStarter("each-item", { items: [{ name: "Ink", price: 3, count: 3 }] });
  expect(one.result.output).toMatchObject({ lines: [{ name: "Ink", total: 9 }], total: 9 });
});

test("csv-to-excel writes the rows into an Excel file that can be downloaded", async () => {
  const { result } = await runStarter("csv-to-excel");
  expect(result.output).toMatchObject({ name: "rows.xlsx", contentType: expect.stringContaining("sheet") });
  expect((await alice.get(`/api/run-files/${result.output.file}`)).status).toBe(200);
});

test("order-summary adds up valid orders by customer, the largest first", async () => {
  const { result } = await runStarter("order-summary");
  expect(result.output).toEqual([
    { customer: "Ada", orders: 2, total: 38 },
    { customer: "Ben", orders: 1, total: 12 },
  ]);
});

test("order-database stores each order once in a SQLite file of the user, and adds them up", async () => {
  const created = await alice.post("/api/connections", {
    kind: "database",
    name: "Orders",
    secrets: { url: "sqlite:data/orders.db" },
  });
  const { workflow } = (await alice.post("/api/templates/import/order-database")).body;
  // What the page asks for: a connection in each step of the kind.
  const text = JSON.stringify(workflow.metadata).replaceAll(
    '"connection":"conn_orders"',
    `"connection":"${created.body.connection.id}"`,
  );
  expect(text.match(/"connection":"conn_/g)).toHaveLength(3);
  expect((await alice.put(`/api/workflows/${workflow.id}`, { metadata: JSON.parse(text) })).status).toBe(200);
  for (const input of [{}, {}, { orders: [{ number: "A-2", customer: "Ben", total: 12 }] }]) {
    const { taskId } = (await alice.post(`/api/workflows/${workflow.id}/run?wait=true`, { input })).body;
    const { task } = (await alice.get(`/api/tasks/${taskId}`)).body;
    expect(task, JSON.stringify(task.error)).toMatchObject({ status: "completed" });
    expect(task.result.output.rows).toEqual([
      { customer: "Ada", orders: 2, total: 38 },
      { customer: "Ben", orders: 1, total: 12 },
    ]);
  }
});

test("invoice-reminder writes a reminder for each overdue invoice", async () => {
  expect((await runStarter("invoice-reminder")).result.output).toEqual([
    "Dear Ada, your invoice over 30.00 was due on 31 January 2020.",
  ]);
});

test("new-items-only returns an item once", async () => {
  const { workflow } = (await alice.post("/api/templates/import/new-items-only")).body;
  const outputs = [];
  for (const ids of [[1, 2], [2, 3], [3]]) {
    const input = { items: ids.map((id) => ({ id })) };
    const { taskId } = (await alice.post(`/api/workflows/${workflow.id}/run?wait=true`, { input })).body;
    outputs.push((await alice.get(`/api/tasks/${taskId}`)).body.task.result.output);
  }
  expect(outputs).toEqual([[{ id: 1 }, { id: 2 }], [{ id: 3 }], []]);
});

test("feed-digest adds a line to the file of the day", async () => {
  const item = {
    title: "Moon",
    link: "https://n.example/1",
    published: "2026-11-02T09:00:00.000Z",
    feed: { title: "News" },
  };
  expect(await runStarter("feed-digest", item)).toMatchObject({ status: "completed" });
  expect(await fileOf("digest/2026-11-02.md")).toBe("- [Moon](https://n.example/1) (News)\n");
  expect(await runStarter("feed-digest", { ...item, published: null })).toMatchObject({
    status: "completed",
  });
});

test("mail-triage sorts messages by their subject", async () => {
  const mail = (subject: string) => ({
    subject,
    from: { name: "", address: "bob@mail.example" },
    attachments: [],
  });
  for (const [subject, kind] of [
    ["Your INVOICE 7", "invoices"],
    ["urgent: call me", "urgent"],
    ["Hello", "other"],
  ] as const)
    expect((await runStarter("mail-triage", mail(subject))).result.output).toMatchObject({ kind, subject });
  expect(await fileOf("mail/invoices.log")).toContain("bob@mail.example: Your INVOICE 7");
});

test("support-chat answers a visitor of its chat", async () => {
  const { workflow } = (await alice.post("/api/templates/import/support-chat")).body;
  const settings = { slug: "starter" };
  await alice.post("/api/triggers", { kind: "chat", workflowId: workflow.id, settings });
  const message = { conversationId: "a".repeat(24), messageId: "1", message: "Where is my order?" };
  const { text } = await app.anonymous.post("/api/chats/starter/messages", message);
  expect(text).toContain("event: finished");
  expect(await fileOf("chat/questions.log")).toContain("Where is my order?");
});

test("repeat-until counts its iterations, and wait-for-payment continues with the event", async () => {
  expect((await runStarter("repeat-until")).result.output).toBe("15 years");
  await alice.post("/api/events", { name: "payment.received", key: "A-17", data: { amount: 30 } });
  const task = await runStarter("wait-for-payment", { order: "A-17" });
  expect(task.result.output).toBe("Ship A-17: 30 received");
});
