import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { publish } from "./support/endpoints.ts";
import { shareWebhooks } from "./support/webhooks.ts";

const { app, alice, makeWebhook, taskOf, deliveriesOf } = await shareWebhooks();
const shown = {
  kind: "{{trigger.kind}}",
  method: "{{trigger.method}}",
  event: "{{trigger.headers.x-event}}",
  headers: "{{trigger.headers}}",
  query: "{{trigger.query}}",
};
const workflowId: string = (
  await publish(
    alice,
    { enabled: false },
    { steps: [{ stepId: "show", type: "transform", template: shown }], edges: [] },
  )
).id;

async function outputOf(taskId: string): Promise<any> {
  let output: any;
  await expect
    .poll(async () => {
      const task = await taskOf(taskId);
      output = task.result?.output;
      return task.status;
    })
    .toBe("completed");
  return output;
}

function sendForm(url: string, secret: string, contentType: string, body: string | Buffer) {
  return app.anonymous.call(url, {
    method: "POST",
    headers: { "x-webhook-secret": secret },
    contentType,
    body,
  });
}

const URL_ENCODED = "application/x-www-form-urlencoded";
const part = (name: string, value: string) =>
  `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

test("placeholders read the kind, method, headers and query of a call, also when it is redelivered and replayed", async () => {
  const webhook = await makeWebhook({ workflowId });
  const url = `/webhook/${webhook.source}?page=1&page=2&shop=bern`;
  const headers = { "x-webhook-secret": webhook.secret, "X-Event": "order.created" };
  const { taskId } = (await app.anonymous.post(url, { n: 1 }, headers)).body;
  const wanted = {
    kind: "webhook",
    method: "POST",
    event: "order.created",
    query: { page: ["1", "2"], shop: "bern" },
  };
  expect(await outputOf(taskId)).toMatchObject(wanted);

  const [delivery] = await deliveriesOf(webhook.id);
  expect(delivery).toMatchObject({ method: "POST", query: wanted.query });
  const again = await alice.post(`/api/webhooks/${webhook.id}/deliveries/${delivery.id}/redeliver`, {});
  expect(await outputOf(again.body.taskId)).toMatchObject(wanted);
  const replayed = await alice.post(`/api/tasks/${taskId}/replay`, {});
  expect(await outputOf(replayed.body.taskId)).toMatchObject({ ...wanted, kind: "manual" });
  const run = await alice.post(`/api/workflows/${workflowId}/run`, { input: {} });
  expect(await outputOf(run.body.taskId)).toMatchObject({ kind: "manual", method: null, headers: null });
});

test("[S17] trigger data has no secret and no credential, as in the deliveries", async () => {
  const webhook = await makeWebhook({
    workflowId,
    signature: { scheme: "hmac", secret: "vendor", header: "x-shop-proof" },
  });
  const { secret } = webhook;
  const url = `/webhook/${webhook.source}?secret=${secret}&api_key=other-credential&note=is-${secret}`;
  const { taskId } = (
    await app.anonymous.post(
      url,
      { n: 1 },
      {
        authorization: "Bearer other-credential",
        cookie: "session=other-credential",
        "x-webhook-secret": secret,
        "x-note": `it is ${secret}`,
      },
    )
  ).body;
  const output = await outputOf(taskId);
  expect(output.query).toEqual({ api_key: "•••", note: "is-•••" });
  expect(output.headers).toMatchObject({ authorization: "•••", cookie: "•••", "x-webhook-secret": "•••" });
  const [delivery] = await deliveriesOf(webhook.id);
  expect(delivery).toMatchObject({ headers: output.headers, query: output.query });
  for (const text of [JSON.stringify(output), JSON.stringify(delivery)]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain("other-credential");
  }
});

test("a form becomes an object of its fields", async () => {
  const webhook = await makeWebhook();
  const url = `/webhook/${webhook.source}`;
  const fields = { name: "Zoë & Co", tag: ["a", "b"], empty: "" };
  for (const [contentType, body] of [
    [`${URL_ENCODED}; charset=utf-8`, "name=Zo%C3%AB+%26+Co&tag=a&tag=b&empty="],
    [
      "multipart/form-data; boundary=x",
      `${part("name", "Zoë & Co")}${part("tag", "a")}${part("tag", "b")}${part("empty", "")}--x--\r\n`,
    ],
  ] as const) {
    const response = await sendForm(url, webhook.secret, contentType, body);
    expect(response.status).toBe(200);
    expect((await taskOf(response.body.taskId)).input).toEqual(fields);
    expect((await deliveriesOf(webhook.id))[0]).toMatchObject({ status: "accepted", body: fields });
  }
});

test("a form that is broken, is not UTF-8 or has dangerous or too many fields is 400 and recorded", async () => {
  const webhook = await makeWebhook();
  const url = `/webhook/${webhook.source}`;
  const bodies: [string, string | Buffer][] = [
    [URL_ENCODED, "name=%FF"],
    [URL_ENCODED, Buffer.from([0x61, 0x3d, 0xff])],
    [URL_ENCODED, "__proto__=1"],
    [URL_ENCODED, "a=1&".repeat(1001)],
    ["multipart/form-data; boundary=x", "no form"],
    ["multipart/form-data", part("a", "1")],
    ["multipart/form-data; boundary=x", Buffer.from(`${part("a", "ÿ")}--x--\r\n`, "latin1")],
  ];
  for (const [contentType, body] of bodies) {
    const response = await sendForm(url, webhook.secret, contentType, body);
    expect([response.status, response.body.error]).toEqual([400, "invalid_request"]);
  }
  const noted = await deliveriesOf(webhook.id);
  expect(noted).toHaveLength(bodies.length);
  expect(noted[0]).toMatchObject({ status: "rejected", reason: "invalid_request", body: null });
});

test("files of a form and binary bodies are references in the input, and a repeated delivery finds its task", async () => {
  const webhook = await makeWebhook();
  const url = `/webhook/${webhook.source}`;
  const file = `--x\r\ncontent-disposition: form-data; name="f"; filename="../a.csv"\r\n\r\nid\n1\n\r\n--x--\r\n`;
  const headers = { "x-webhook-secret": webhook.secret, "idempotency-key": "once" };
  const sendBody = (contentType: string, body: string | Buffer, more = {}) =>
    app.anonymous.call(url, { method: "POST", headers: { ...headers, ...more }, contentType, body });
  const form = part("a", "1") + file;
  const response = await sendBody("multipart/form-data; boundary=x", form);
  expect(response.status).toBe(200);
  const { task } = (await alice.get(`/api/tasks/${response.body.taskId}`)).body;
  const reference = {
    file: expect.stringMatching(/^file_/),
    name: "a.csv",
    contentType: "text/csv",
    size: 5,
  };
  expect(task.input).toEqual({ a: "1", f: reference });
  expect((await alice.get(`/api/run-files/${task.input.f.file}`)).text).toBe("id\n1\n");

  const again = await sendBody("multipart/form-data; boundary=x", form);
  expect(again.body.taskId).toBe(response.body.taskId);
  const changed = await sendBody("multipart/form-data; boundary=x", form.replace("id\n1", "id\n2"));
  expect(changed.body.error).toBe("idempotency_conflict");

  const png = Buffer.from("\x89PNG\r\n\x1a\n\xff", "latin1");
  const binary = await sendBody("image/png", png, { "idempotency-key": "two" });
  const second = (await alice.get(`/api/tasks/${binary.body.taskId}`)).body.task;
  expect(second.input).toEqual({
    file: { file: expect.any(String), name: "body", contentType: "image/png", size: 9 },
  });
});

test("GET starts a task with the query as input, HEAD starts none, and a signature cannot replace the secret", async () => {
  const webhook = await makeWebhook({ workflowId, signature: { scheme: "hmac", secret: "vendor" } });
  const url = `/webhook/${webhook.source}`;
  const response = await app.anonymous.get(`${url}?secret=${webhook.secret}&order=17`);
  expect(response.status).toBe(200);
  expect((await taskOf(response.body.taskId)).input).toEqual({ order: "17" });
  expect(await outputOf(response.body.taskId)).toMatchObject({ method: "GET", query: { order: "17" } });

  const head = await app.anonymous.call(`${url}?secret=${webhook.secret}`, { method: "HEAD" });
  expect(head.status).toBe(404);
  // The HMAC of an empty body.
  const signature = createHmac("sha256", "vendor").digest("hex");
  const signed = await app.anonymous.call(url, { method: "GET", headers: { "x-signature": signature } });
  expect([signed.status, signed.body.error]).toEqual([401, "missing_secret"]);
  expect(await deliveriesOf(webhook.id)).toMatchObject([
    { status: "rejected", reason: "missing_secret", taskId: null },
    { status: "accepted", taskId: response.body.taskId },
  ]);
});
