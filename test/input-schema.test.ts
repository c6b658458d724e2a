import { expect, test } from "vitest";
import { bearer, createKey, publish } from "./support/endpoints.ts";
import { transformStep } from "./support/graphs.ts";
import { shareApp } from "./support/shared-app.ts";

const { app, alice } = await shareApp(["alice"]);
const key = bearer((await createKey(alice)).rawKey);

const inputSchema = {
  type: "object",
  properties: {
    email: { type: "string", title: "Email", format: "email" },
    amount: { type: "number", minimum: 1 },
    reason: { type: "string", enum: ["late", "damaged"], default: "late" },
  },
  required: ["email", "amount"],
};
const metadata = { steps: [transformStep("echo", "{{input}}")], edges: [], inputSchema };
const valid = { email: "ada@example.com", amount: 5 };
const invalid = { email: "ada", amount: 0 };
const details = [
  { path: "email", message: "Email must be an email address." },
  { path: "amount", message: "amount must be at least 1." },
];
const refused = { status: 400, body: { ok: false, error: "invalid_request", details } };
const countTasks = async (workflowId: string) =>
  (await alice.get(`/api/tasks?workflowId=${workflowId}`)).body.tasks.length;

test("a workflow keeps its input schema in the record, in versions, in clones and in templates", async () => {
  const { id } = await publish(alice, {}, metadata);
  expect((await alice.get(`/api/workflows/${id}`)).body.workflow.metadata.inputSchema).toEqual(inputSchema);
  const { versions } = (await alice.get(`/api/workflows/${id}/versions`)).body;
  expect(versions).toHaveLength(1);
  const version = await alice.get(`/api/workflows/${id}/versions/1`);
  expect(version.body.version.metadata.inputSchema).toEqual(inputSchema);
  const clone = await alice.post(`/api/workflows/${id}/clone`);
  expect(clone.body.workflow.metadata.inputSchema).toEqual(inputSchema);
  const file = (await alice.get(`/api/workflows/${id}/export`)).body;
  const template = await alice.post("/api/templates", file);
  const imported = await alice.post(`/api/templates/import/${template.body.template.id}`);
  expect(imported.body.workflow.metadata.inputSchema).toEqual(inputSchema);

  const changed = { ...metadata, inputSchema: { type: "object" } };
  expect((await alice.patch(`/api/workflows/${id}`, { metadata: changed })).body.workflow.version).toBe(2);
  const without = { steps: metadata.steps, edges: [] };
  const removed = await alice.patch(`/api/workflows/${id}`, { metadata: without });
  expect(removed.body.workflow.metadata).toEqual(without);
});

test("an invalid input schema is 422 with its problems, and nothing is saved", async () => {
  const { id } = await publish(alice, {}, metadata);
  const wrong = { ...metadata, inputSchema: { type: "object", properties: { a: { type: "text" } } } };
  const response = await alice.patch(`/api/workflows/${id}`, { metadata: wrong });
  expect(response).toMatchObject({
    status: 422,
    body: { error: "invalid_workflow", errors: [{ code: "invalid_field" }] },
  });
  expect((await alice.get(`/api/workflows/${id}`)).body.workflow.version).toBe(1);
});

test("a public call with invalid input is 400 with a sentence per field and starts no task", async () => {
  const { id } = await publish(alice, {}, metadata);
  const call = (input?: unknown) =>
    app.anonymous.post(`/api/workflows/public/${id}`, input === undefined ? {} : { input }, key);
  expect(await call(invalid)).toMatchObject(refused);
  expect((await call()).body.details).toEqual([
    { path: "email", message: "Email is required." },
    { path: "amount", message: "amount is required." },
  ]);
  expect(await countTasks(id)).toBe(0);
  const accepted = await call(valid);
  expect(accepted.body.result.output).toEqual({ ...valid, reason: "late" });
});

test("a run is checked and gets the defaults; a partial run is checked only when it has input", async () => {
  const { id } = await publish(alice, {}, metadata);
  const run = (input: unknown) => alice.post(`/api/workflows/${id}/run?wait=true`, { input });
  expect(await run(invalid)).toMatchObject(refused);
  expect((await run(valid)).body.result.output).toEqual({ ...valid, reason: "late" });

  const partial = (input?: unknown) =>
    alice.post(`/api/workflows/${id}/run-partial`, { stepIds: ["echo"], input });
  expect(await partial(invalid)).toMatchObject(refused);
  const started = await partial();
  expect(started.status).toBe(200);
  const { task } = (await alice.get(`/api/tasks/${started.body.taskId}`)).body;
  expect(task.input).toEqual({ reason: "late" });
});

test("a replay repeats input that an older version accepted, and checks input that it is given", async () => {
  const { id } = await publish(alice, {}, { steps: metadata.steps, edges: [] });
  const first = (await alice.post(`/api/workflows/${id}/run?wait=true`, { input: invalid })).body.taskId;
  await alice.patch(`/api/workflows/${id}`, { metadata });
  const replay = (body: object) => alice.post(`/api/tasks/${first}/replay`, { version: "current", ...body });
  expect(await replay({ input: invalid })).toMatchObject(refused);
  expect((await replay({})).body.task.input).toEqual({ ...invalid, reason: "late" });
});

test("a webhook delivery with invalid input is 400, listed as rejected, and can be redelivered after a fix", async () => {
  const { id } = await publish(alice, {}, metadata);
  const { webhook } = (await alice.post("/api/webhooks", { name: "Shop", source: "shop", workflowId: id }))
    .body;
  const deliver = (body: unknown) =>
    app.anonymous.post("/webhook/shop", body, { "x-webhook-secret": webhook.secret });
  expect(await deliver(invalid)).toMatchObject(refused);
  expect((await deliver(["a list"])).body.details).toEqual([
    { path: "", message: "The input must be an object." },
  ]);
  expect((await deliver(valid)).status).toBe(200);

  const deliveries = (await alice.get(`/api/webhooks/${webhook.id}/deliveries`)).body.deliveries;
  expect(deliveries.map(({ status, reason }: Record<string, string>) => [status, reason])).toEqual([
    ["accepted", null],
    ["rejected", "invalid_request"],
    ["rejected", "invalid_request"],
  ]);
  const again = `/api/webhooks/${webhook.id}/deliveries/${deliveries[2].id}/redeliver`;
  expect(await alice.post(again)).toMatchObject(refused);
  await alice.patch(`/api/workflows/${id}`, { metadata: { ...metadata, inputSchema: { type: "object" } } });
  expect((await alice.post(again)).status).toBe(200);
});

test("texts of a form or a query are read as the types of the schema, also when delivered again", async () => {
  const inputTypes = {
    type: "object",
    properties: {
      amount: { type: "number" },
      urgent: { type: "boolean" },
      tags: { type: "array", items: { type: "integer" } },
      note: { type: "string" },
    },
  };
  const { id } = await publish(alice, {}, { ...metadata, inputSchema: inputTypes });
  const { webhook } = (await alice.post("/api/webhooks", { name: "T", source: "texts", workflowId: id }))
    .body;
  const secret = { "x-webhook-secret": webhook.secret };
  const get = (query: string) => app.anonymous.get(`/webhook/texts?${query}`, secret);
  const inputOf = async (taskId: string) => (await alice.get(`/api/tasks/${taskId}`)).body.task.input;
  const typed = { amount: 12.5, urgent: true, tags: [1], note: "7" };
  const received = await get("amount=12.5&urgent=true&tags=1&note=7");
  expect(await inputOf(received.body.taskId)).toEqual(typed);
  const [delivery] = (await alice.get(`/api/webhooks/${webhook.id}/deliveries`)).body.deliveries;
  const again = await alice.post(`/api/webhooks/${webhook.id}/deliveries/${delivery.id}/redeliver`);
  expect(await inputOf(again.body.taskId)).toEqual(typed);
  expect((await get("amount=many&urgent=perhaps")).body.details).toEqual([
    { path: "amount", message: "amount must be a number." },
    { path: "urgent", message: "urgent must be true or false." },
  ]);
  // JSON has its own types.
  const json = await app.anonymous.post("/webhook/texts", { amount: "12.5" }, secret);
  expect(json.body.details).toEqual([{ path: "amount", message: "amount must be a number." }]);
});

test("a schedule is checked when its input is saved", async () => {
  const { id } = await publish(alice, {}, metadata);
  const create = (input: unknown) =>
    alice.post("/api/schedules", { workflowId: id, cron: "0 9 * * *", input });
  expect(await create(invalid)).toMatchObject(refused);
  const { schedule } = (await create(valid)).body;
  expect(await alice.patch(`/api/schedules/${schedule.id}`, { input: invalid })).toMatchObject(refused);
  expect((await alice.patch(`/api/schedules/${schedule.id}`, { active: false })).status).toBe(200);
});

test("a sub-workflow step with invalid input fails with the fields, without a retry", async () => {
  const { id } = await publish(alice, {}, metadata);
  const caller = await publish(
    alice,
    {},
    {
      steps: [{ stepId: "sub", type: "workflow", workflowId: id, input: invalid, maxRetries: 3 }],
      edges: [],
    },
  );
  const response = await alice.post(`/api/workflows/${caller.id}/run?wait=true`, {});
  expect(response.status).toBe(500);
  expect(response.body.stepResults[0]).toMatchObject({
    status: "failed",
    attempts: 1,
    error: { code: "invalid_request", message: expect.stringContaining(details[0]!.message) },
  });
  expect(await countTasks(id)).toBe(0);
});
