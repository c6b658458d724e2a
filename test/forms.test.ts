import { describe, expect, test } from "vitest";
import { formOf, MULTIPART } from "./documents/upload.ts";
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

test("a form has its own authentication, which leaves the endpoint as it is", async () => {
  const id = await openForm({ authentication: false }, { enabled: true, authentication: true });
  const call = () => app.anonymous.post(`/api/workflows/public/${id}`, { input });
  expect((await read(id)).body.form.keyRequired).toBe(false);
  expect([(await send(id)).status, (await call()).status]).toEqual([200, 401]);
  const change = { form: { authentication: true }, apiSettings: { authentication: false } };
  await alice.patch(`/api/workflows/${id}`, change);
  expect([(await send(id)).status, (await call()).status]).toEqual([401, 200]);
  await alice.patch(`/api/workflows/${id}`, { form: { authentication: null } });
  expect((await send(id)).status).toBe(200);
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
    body: {
      error: "invalid_request",
      details: [{ path: "email", message: "Email must be an email address." }],
    },
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

describe("files", () => {
  const fileSchema = {
    type: "object",
    properties: {
      email: { type: "string" },
      photo: { type: "object", format: "file", title: "Photo" },
      papers: { type: "array", items: { type: "object", format: "file" } },
    },
    required: ["photo"],
  };
  const fileMetadata = { steps: [transformStep("echo", "{{input}}")], edges: [], inputSchema: fileSchema };
  const png = Buffer.from("\x89PNG\r\n\x1a\n\xff", "latin1");
  const sendFiles = (url: string, parts: Parameters<typeof formOf>[0], headers = {}) =>
    app.anonymous.call(url, { method: "POST", body: formOf(parts), contentType: MULTIPART, headers });
  async function openFileForm(apiSettings = {}): Promise<string> {
    const { id } = await publish(
      alice,
      { enabled: true, authentication: false, ...apiSettings },
      fileMetadata,
    );
    await alice.patch(`/api/workflows/${id}`, { form: { enabled: true } });
    return id as string;
  }
  const parts = [
    { name: "input", value: '{"email":"ada@example.com"}' },
    { name: "photo", value: png, fileName: "me.png" },
    { name: "papers", value: Buffer.from("a"), fileName: "a.txt" },
    { name: "papers", value: Buffer.from("b"), fileName: "b.txt" },
  ];

  test("a form takes files as references, once for repeated sends", async () => {
    const id = await openFileForm();
    const sent = await sendFiles(`/api/forms/${id}`, parts, { "idempotency-key": "form-1" });
    expect(sent.status).toBe(200);
    const { output } = sent.body;
    expect(output).toEqual({
      email: "ada@example.com",
      photo: { file: expect.any(String), name: "me.png", contentType: "image/png", size: png.length },
      papers: [expect.objectContaining({ name: "a.txt" }), expect.objectContaining({ name: "b.txt" })],
    });
    expect((await alice.get(`/api/run-files/${output.photo.file}`)).status).toBe(200);
    const again = await sendFiles(`/api/forms/${id}`, parts, { "idempotency-key": "form-1" });
    expect(again.body.taskId).toBe(sent.body.taskId);
    const other = [...parts.slice(0, 1), { name: "photo", value: Buffer.from("other"), fileName: "me.png" }];
    const changed = await sendFiles(`/api/forms/${id}`, other, { "idempotency-key": "form-1" });
    expect(changed.body.error).toBe("idempotency_conflict");
  });

  test("a public endpoint takes the same body", async () => {
    const id = await openFileForm();
    const called = await sendFiles(`/api/workflows/public/${id}`, [...parts, { name: "note", value: "hi" }]);
    expect(called.body.result.output).toMatchObject({ note: "hi", photo: { name: "me.png" } });
  });

  test("a missing file, text in place of a file and broken bodies are refused", async () => {
    const id = await openFileForm();
    const missing = await sendFiles(`/api/forms/${id}`, parts.slice(0, 1));
    expect(missing.body).toMatchObject({ error: "invalid_request" });
    const text = await sendFiles(`/api/forms/${id}`, [{ name: "photo", value: "no file" }]);
    expect(text.body).toMatchObject({ error: "invalid_request" });
    const json = await send(id, { input: { photo: { file: "x" } } });
    expect(json.body).toMatchObject({ error: "invalid_request" });
    const broken = await sendFiles(`/api/forms/${id}`, [{ name: "input", value: "[1]" }]);
    expect(broken.body.error).toBe("invalid_request");
    const cut = await app.anonymous.call(`/api/forms/${id}`, {
      method: "POST",
      body: formOf(parts).subarray(0, 150),
      contentType: MULTIPART,
    });
    expect(cut.status).toBe(400);
  });
});
