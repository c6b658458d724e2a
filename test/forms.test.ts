import { expect, test } from "vitest";
import { bearer, createKey, publish } from "./support/endpoints.ts";
import { transformStep } from "./support/graphs.ts";
import { shareApp } from "./support/shared-app.ts";

const { app, alice, bob } = await shareApp(["alice", "bob"]);
const key = bearer((await createKey(alice)).rawKey);

const inputSchema = {
  type: "object",
  properties: { email: { type: "string", title: "Email", format: "email" } },
  required: ["email"],
};
const metadata = { steps: [transformStep("echo", "Hello {{input.email}}")], edges: [], inputSchema };
const input = { email: "ada@example.com" };

async function openForm(settings: Record<string, unknown> = {}, apiSettings: Record<string, unknown> = {}) {
  const { id } = await publish(alice, { enabled: false, authentication: false, ...apiSettings }, metadata);
  const response = await alice.patch(`/api/workflows/${id}`, { form: { enabled: true, ...settings } });
  expect(response.status).toBe(200);
  return id as string;
}
const read = (idOrSlug: string) => app.anonymous.get(`/api/forms/${idOrSlug}`);
const send = (idOrSlug: string, body: unknown = { input }, headers = {}) =>
  app.anonymous.post(`/api/forms/${idOrSlug}`, body, headers);

test("a form tells its texts, its fields and whether it needs a key, and nothing else", async () => {
  await openForm({ title: "Refunds", description: "We reply in a day." }, { endpointName: "Refunds" });
  expect(await read("refunds")).toMatchObject({ status: 200 });
  expect((await read("refunds")).body).toEqual({
    ok: true,
    form: {
      title: "Refunds",
      description: "We reply in a day.",
      submitLabel: "Submit",
      successMessage: "Thank you. Your answers were received.",
      schema: inputSchema,
      keyRequired: false,
    },
  });
});

test("a form starts a task of the form trigger and returns the output, without steps", async () => {
  const id = await openForm();
  const response = await send(id);
  expect(response).toMatchObject({ status: 200 });
  expect(response.body).toEqual({
    ok: true,
    taskId: expect.stringMatching(/^task_/),
    status: "completed",
    output: "Hello ada@example.com",
  });
  const { task } = (await alice.get(`/api/tasks/${response.body.taskId}`)).body;
  expect(task).toMatchObject({ trigger: "form", input });
});

test("a form of an asynchronous endpoint answers at once, without an output", async () => {
  const id = await openForm({}, { sync: false });
  expect((await send(id)).body).toEqual({ ok: true, taskId: expect.any(String), status: "queued" });
});

test("the custom response of an endpoint is not shown by the form", async () => {
  const id = await openForm({}, { customResponse: true });
  expect((await send(id)).body).toEqual({ ok: true, taskId: expect.any(String), status: "completed" });
});

test("wrong answers are 400 with a sentence per field and start no task", async () => {
  const id = await openForm();
  expect(await send(id, { input: { email: "ada" } })).toMatchObject({
    status: 400,
    body: { error: "invalid_request", details: { fields: { email: "Email must be an email address." } } },
  });
  expect((await alice.get(`/api/tasks?workflowId=${id}`)).body.tasks).toEqual([]);
});

test("a failed run is 500 and tells nothing about its steps", async () => {
  const steps = [{ stepId: "secret", type: "http", method: "GET", url: "{{input.email}}" }];
  const { id } = await publish(alice, { enabled: false, authentication: false }, { steps, edges: [] });
  await alice.patch(`/api/workflows/${id}`, { form: { enabled: true } });
  expect((await send(id)).body).toEqual({
    ok: false,
    error: "execution_failed",
    message: "The form was received, but its processing failed.",
  });
});

test("with authentication a form is readable, and sending it needs a key of the owner", async () => {
  const id = await openForm({}, { authentication: true });
  expect((await read(id)).body.form.keyRequired).toBe(true);
  expect(await send(id)).toMatchObject({ status: 401, body: { error: "missing_api_key" } });
  const foreign = bearer((await createKey(bob)).rawKey);
  expect(await send(id, { input }, foreign)).toMatchObject({
    status: 401,
    body: { error: "invalid_api_key" },
  });
  expect((await send(id, { input }, key)).status).toBe(200);
});

test("an unknown, a disabled, a removed and a deleted form are the same 404", async () => {
  const id = await openForm({}, { endpointName: "gone" });
  expect((await read("gone")).status).toBe(200);
  const missing = { status: 404, body: { error: "workflow_not_found" } };
  expect(await read("never-was")).toMatchObject(missing);
  for (const form of [{ enabled: false }, null]) {
    await alice.patch(`/api/workflows/${id}`, { form });
    expect(await read("gone")).toMatchObject(missing);
    expect(await send("gone")).toMatchObject(missing);
  }
  await alice.patch(`/api/workflows/${id}`, { form: { enabled: true } });
  expect((await read("gone")).status).toBe(200);
  await alice.delete(`/api/workflows/${id}`);
  expect(await read("gone")).toMatchObject(missing);
});

test("form and endpoint are enabled separately", async () => {
  const id = await openForm();
  const call = () => app.anonymous.post(`/api/workflows/public/${id}`, { input });
  expect((await call()).status).toBe(404);
  await alice.patch(`/api/workflows/${id}`, { apiSettings: { enabled: true }, form: { enabled: false } });
  expect((await call()).status).toBe(200);
  expect((await read(id)).status).toBe(404);
});

test("a double click with the key of the page starts one task", async () => {
  const id = await openForm();
  const once = { "idempotency-key": "page-1" };
  const [first, second] = await Promise.all([send(id, { input }, once), send(id, { input }, once)]);
  expect(second.body).toEqual(first.body);
  expect((await alice.get(`/api/tasks?workflowId=${id}`)).body.tasks).toHaveLength(1);
});

test("the name of an enabled form is taken, also for endpoints, and reserved after it is disabled", async () => {
  const id = await openForm({}, { endpointName: "survey" });
  const take = async (owner: typeof bob) =>
    (
      await owner.post("/api/workflows", {
        name: "Other",
        metadata,
        apiSettings: { enabled: true, endpointName: "survey" },
      })
    ).status;
  expect(await take(bob)).toBe(409);
  await alice.patch(`/api/workflows/${id}`, { form: { enabled: false } });
  expect(await take(bob)).toBe(409);
  expect(await take(alice)).toBe(201);
  const again = await alice.patch(`/api/workflows/${id}`, { form: { enabled: true } });
  expect(again).toMatchObject({ status: 409, body: { error: "slug_taken" } });
});

test("settings of a form merge, null clears a text, and a clone has the form disabled", async () => {
  const id = await openForm({ title: "A", submitLabel: "Send" });
  const patch = async (form: unknown) =>
    (await alice.patch(`/api/workflows/${id}`, { form })).body.workflow.form;
  expect(await patch({ description: "B" })).toEqual({
    enabled: true,
    title: "A",
    submitLabel: "Send",
    description: "B",
  });
  expect(await patch({ title: null, submitLabel: null })).toEqual({ enabled: true, description: "B" });
  const { version } = (await alice.get(`/api/workflows/${id}`)).body.workflow;
  expect(version).toBe(1);
  const clone = (await alice.post(`/api/workflows/${id}/clone`)).body.workflow;
  expect(clone.form).toEqual({ enabled: false, description: "B" });
});

test("the calls of a form count against the limit of the endpoint", async () => {
  const { app: small, alice: owner } = await shareApp(["alice"], { RATE_LIMIT_ENDPOINT_PER_MINUTE: "2" });
  const { id } = await publish(owner, { authentication: false }, metadata);
  await owner.patch(`/api/workflows/${id}`, { form: { enabled: true } });
  const sendForm = () => small.anonymous.post(`/api/forms/${id}`, { input });
  expect((await small.anonymous.post(`/api/workflows/public/${id}`, { input })).status).toBe(200);
  expect((await sendForm()).status).toBe(200);
  expect(await sendForm()).toMatchObject({ status: 429, body: { error: "rate_limited" } });
});
