import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { echoGraph, publish } from "./support/endpoints.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";
import { shareWebhooks } from "./support/webhooks.ts";

const { app, alice, workflowId, makeWebhook, send, taskOf, deliveriesOf } = await shareWebhooks({
  WEBHOOK_BODY_LIMIT_BYTES: "4096",
});

test("a call starts a task with the exact body as input", async () => {
  const webhook = await makeWebhook();
  for (const body of [{ b: 1, a: [null, { "": "ü\u0000" }] }, [1], "text", 5, true, null, {}]) {
    const response = await send(webhook.source, webhook.secret, JSON.stringify(body));
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ok: true, taskId: expect.stringMatching(/^task_/) });
    expect(await taskOf(response.body.taskId)).toMatchObject({ trigger: "webhook", input: body });
  }
  const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"n":2}')]);
  expect((await send(webhook.source, webhook.secret, marked)).status).toBe(200);
  expect((await deliveriesOf(webhook.id))[0]).toMatchObject({ body: { n: 2 } });
  const byQuery = await app.anonymous.post(`/webhook/${webhook.source}?secret=${webhook.secret}`, { q: 1 });
  expect(byQuery.status).toBe(200);
});

test("a missing secret is 401; a wrong source, a wrong secret and an inactive webhook get the same response", async () => {
  const webhook = await makeWebhook();
  const inactive = await makeWebhook({ active: false });
  for (const url of [
    `/webhook/${webhook.source}`,
    `/webhook/${webhook.source}?secret=`,
    "/webhook/unknown",
  ]) {
    const response = await app.anonymous.post(url, {});
    expect(response.status).toBe(401);
    expect(response.body.error).toBe("missing_secret");
  }
  const texts = new Set<string>();
  for (const [source, secret] of [
    [webhook.source, "wrong"],
    ["unknown", webhook.secret],
    [inactive.source, inactive.secret],
    [webhook.source.toUpperCase(), webhook.secret],
  ] as const) {
    const response = await send(source, secret);
    expect(response.status).toBe(403);
    expect(response.body.error).toBe("invalid_secret");
    texts.add(response.text);
  }
  expect(texts.size).toBe(1);
  const twice = `/webhook/${webhook.source}?secret=${webhook.secret}&secret=x`;
  expect((await app.anonymous.post(twice, {})).body.error).toBe("invalid_secret");
  // Each reason once, so that strangers cannot fill the list.
  const refused = { status: "rejected", body: null, headers: {} };
  expect(await deliveriesOf(webhook.id)).toMatchObject([
    { ...refused, reason: "invalid_secret" },
    { ...refused, reason: "missing_secret" },
  ]);
  // The sender does not learn that the webhook is paused; its owner does.
  expect(await deliveriesOf(inactive.id)).toMatchObject([{ ...refused, reason: "webhook_paused" }]);
});

test("[S10] a call without the right secret is rejected before its body is read", async () => {
  const webhook = await makeWebhook();
  const tooLarge = JSON.stringify("x".repeat(8192));
  expect((await send(webhook.source, "wrong", tooLarge)).status).toBe(403);
  expect((await send(webhook.source, webhook.secret, tooLarge)).status).toBe(413);
  expect(await deliveriesOf(webhook.id)).toMatchObject([
    { status: "rejected", reason: "payload_too_large", body: null },
    { reason: "invalid_secret" },
  ]);
});

test("[S8] only JSON, forms and binary files are accepted, and a body that names a file stays data", async () => {
  const webhook = await makeWebhook();
  const body = { file: { filepath: "/etc/passwd", path: "/etc/passwd", originalFilename: "a.pdf" } };
  const sendAs = (contentType: string, text: string) =>
    app.anonymous.call(`/webhook/${webhook.source}`, {
      method: "POST",
      headers: { "x-webhook-secret": webhook.secret },
      contentType,
      body: text,
    });
  for (const [contentType, refused] of [
    ["text/plain", "Disk full"],
    ["text/html", JSON.stringify(body)],
    ["application/xml", "<file/>"],
  ] as const) {
    const response = await sendAs(contentType, refused);
    expect(response.status).toBe(415);
    expect(response.body.error).toBe("unsupported_media_type");
    const [latest] = await deliveriesOf(webhook.id);
    expect(latest).toMatchObject({ status: "rejected", reason: "unsupported_media_type", body: null });
  }
  // Amazon SNS sends JSON as plain text, and some programs send it without a type.
  for (const contentType of ["application/json", "text/plain; charset=UTF-8", ""]) {
    const { taskId } = (await sendAs(contentType, JSON.stringify(body))).body;
    expect((await taskOf(taskId)).input).toEqual(body);
  }
});

test("invalid JSON is 400 and is recorded for the owner", async () => {
  const webhook = await makeWebhook();
  const bodies = [
    "{ not json",
    "",
    Buffer.from([0x22, 0xff, 0x22]),
    `${"[".repeat(300)}${"]".repeat(300)}`,
    '{"__proto__":1}',
  ];
  for (const body of bodies) {
    const response = await send(webhook.source, webhook.secret, body);
    expect(response.status).toBe(400);
    expect(response.body.error).toBe("invalid_json");
  }
  const noted = await deliveriesOf(webhook.id);
  expect(noted).toHaveLength(bodies.length);
  expect(noted[0]).toMatchObject({ status: "rejected", reason: "invalid_json", body: null, taskId: null });
});

test("[S17] the secret is in no response, task, delivery or file, however it was sent", async () => {
  const webhook = await makeWebhook({
    signature: { scheme: "hmac", secret: `vendor-${randomBytes(9).toString("hex")}` },
  });
  const { secret } = webhook;
  const encoded = Buffer.from(secret).toString("base64");
  const byHeader = await send(
    webhook.source,
    secret,
    { n: 1 },
    {
      referer: `https://shop.example/?secret=${secret}`,
      "x-note": `it is ${secret} or ${encoded}`,
      authorization: "Bearer other-credential",
      cookie: "session=other-credential",
      "x-gitlab-token": "other-credential",
      "x-event": "order.created",
    },
  );
  const byQuery = await app.anonymous.post(
    `/webhook/${webhook.source}?secret=${secret}`,
    { n: 2 },
    {
      "x-original-url": `/webhook/x?secret=${secret}`,
    },
  );
  const texts = [byHeader.text, byQuery.text];
  for (const url of [
    `/api/webhooks/${webhook.id}`,
    `/api/webhooks/${webhook.id}/deliveries`,
    `/api/tasks/${byHeader.body.taskId}`,
    `/api/tasks/${byQuery.body.taskId}`,
    `/api/workflows/${workflowId}/export`,
  ]) {
    const response = await alice.get(url);
    expect(response.status).toBe(200);
    texts.push(response.text);
  }
  for (const text of texts) {
    for (const form of [secret, encoded, "other-credential", "vendor-"]) expect(text).not.toContain(form);
  }
  const [, first] = await deliveriesOf(webhook.id);
  expect(first.headers).toMatchObject({ "x-event": "order.created", authorization: "•••" });
  for (const file of await readdir(app.dataDir)) {
    if (!file.startsWith("baton.sqlite")) continue;
    const bytes = await readFile(join(app.dataDir, file));
    for (const form of [secret, encoded, "vendor-"]) expect(bytes.includes(form)).toBe(false);
  }
});

test("a call for a deleted workflow is workflow_not_found and is recorded", async () => {
  const gone = (await publish(alice, { enabled: false }, echoGraph)).id;
  const webhook = await makeWebhook({ workflowId: gone });
  await alice.delete(`/api/workflows/${gone}`);
  const response = await send(webhook.source, webhook.secret);
  expect(response.body.error).toBe("workflow_not_found");
  expect((await deliveriesOf(webhook.id))[0]).toMatchObject({
    status: "rejected",
    reason: "workflow_not_found",
  });
});

test("a delivery is stored, and redelivering it starts a new task with the same input", async () => {
  const webhook = await makeWebhook();
  const { taskId } = (await send(webhook.source, webhook.secret, { order: 9 }, { "x-event": "made" })).body;
  const [delivery] = await deliveriesOf(webhook.id);
  expect(delivery).toEqual({
    id: expect.stringMatching(/^dlv_/),
    method: "POST",
    query: {},
    webhookId: webhook.id,
    status: "accepted",
    reason: null,
    headers: expect.objectContaining({ "x-event": "made", "x-webhook-secret": "•••" }),
    body: { order: 9 },
    taskId,
    redeliveryOf: null,
    createdAt: expect.stringMatching(/Z$/),
  });
  const again = await alice.post(`/api/webhooks/${webhook.id}/deliveries/${delivery.id}/redeliver`);
  expect(again.status).toBe(200);
  expect(again.body.taskId).not.toBe(taskId);
  expect(again.body.delivery.redeliveryOf).toBe(delivery.id);
  expect((await taskOf(again.body.taskId)).input).toEqual({ order: 9 });
  expect(await deliveriesOf(webhook.id)).toHaveLength(2);
});

test("[R3] fifty concurrent equal deliveries start one task, by header and by the vendor's delivery id", async () => {
  for (const headers of [
    { "idempotency-key": "one" },
    { "x-github-delivery": "g-1" },
    { "webhook-id": "m-1" },
  ]) {
    const webhook = await makeWebhook();
    const responses = await Promise.all(
      Array.from({ length: 50 }, () =>
        send(webhook.source, webhook.secret, { n: 1 }, headers as Record<string, string>),
      ),
    );
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(responses[0]?.status).toBe(200);
    const other = await send(webhook.source, webhook.secret, { n: 2 }, headers as Record<string, string>);
    expect(other.body.error).toBe("idempotency_conflict");
    const kinds = (await deliveriesOf(webhook.id)).map(({ reason }: { reason: string | null }) => reason);
    expect(kinds.filter((reason: string | null) => reason === null)).toHaveLength(1);
  }
});

test("[S23] twenty calls per minute for each address and webhook, counted before the secret and regardless of X-Forwarded-For", async () => {
  const own = await useTestApp();
  const carol = await registerUser(own, "carol");
  const { id } = await publish(carol);
  const made = await carol.post("/api/webhooks", { name: "n", source: "limited", workflowId: id });
  const { secret } = made.body.webhook;
  const knock = (source: string, given: string, i: number) =>
    own.anonymous.post(
      `/webhook/${source}`,
      {},
      { "x-webhook-secret": given, "x-forwarded-for": `10.0.0.${i}` },
    );
  for (let i = 0; i < 20; i++) expect((await knock("limited", "wrong", i)).status).toBe(403);
  const refused = await knock("limited", secret, 99);
  expect(refused.status).toBe(429);
  expect(refused.body.error).toBe("rate_limited");
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  await knock("limited", secret, 99);
  const { deliveries } = (await carol.get(`/api/webhooks/${made.body.webhook.id}/deliveries`)).body;
  const reasons = deliveries.map(({ reason }: { reason: string }) => reason);
  expect(reasons).toEqual(["rate_limited", "invalid_secret"]);
  expect((await knock("another", "wrong", 1)).status).toBe(403);
});

test("a webhook can be called by its own id, with the same checks as by its source", async () => {
  const webhook = await makeWebhook();
  const other = await makeWebhook();
  const url = `/webhook/w/${webhook.id}`;
  const called = await app.anonymous.post(url, { n: 1 }, { "x-webhook-secret": webhook.secret });
  expect(called.status).toBe(200);
  expect((await taskOf(called.body.taskId)).input).toEqual({ n: 1 });
  expect((await app.anonymous.get(`${url}?secret=${webhook.secret}&n=2`)).status).toBe(200);
  expect((await deliveriesOf(webhook.id)).map(({ method }) => method)).toEqual(["GET", "POST"]);

  const missing = await app.anonymous.post(url, {});
  expect([missing.status, missing.body.error]).toEqual([401, "missing_secret"]);
  await alice.patch(`/api/webhooks/${other.id}`, { active: false });
  for (const [id, secret] of [
    [webhook.id, other.secret],
    [other.id, other.secret],
    [webhook.source, webhook.secret],
  ]) {
    const refused = await app.anonymous.post(`/webhook/w/${id}`, {}, { "x-webhook-secret": secret });
    expect([refused.status, refused.body.error]).toEqual([403, "invalid_secret"]);
  }
});

test("of calls that arrive together, each is accepted or refused by its own secret", async () => {
  const webhook = await makeWebhook();
  const secrets = [webhook.secret, "wrong", webhook.secret, "wrong"];
  for (const url of [`/webhook/w/${webhook.id}`, `/webhook/${webhook.source}`]) {
    const responses = await Promise.all(
      secrets.map((secret) => app.anonymous.post(url, {}, { "x-webhook-secret": secret })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 403, 200, 403]);
  }
});
