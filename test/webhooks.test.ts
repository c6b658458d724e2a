import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { echoGraph, publish } from "./support/endpoints.ts";
import {
  createTestApp,
  registerUser,
  type RegisteredUser,
  type TestApp,
  useTestApp,
} from "./support/test-app.ts";

let app: TestApp;
let alice: RegisteredUser;
let bob: RegisteredUser;
let workflowId: string;
beforeAll(async () => {
  app = await createTestApp({ RATE_LIMIT_WEBHOOK_PER_MINUTE: "0", WEBHOOK_BODY_LIMIT_BYTES: "4096" });
  alice = await registerUser(app, "alice");
  bob = await registerUser(app, "bob");
  workflowId = (await publish(alice, { enabled: false })).id;
});
afterAll(() => app.close());

let made = 0;
async function makeWebhook(more: Record<string, unknown> = {}, owner = alice) {
  const answer = await owner.post("/api/webhooks", {
    name: "Orders",
    source: `source-${++made}`,
    workflowId,
    ...more,
  });
  expect(answer.status).toBe(201);
  return answer.body.webhook;
}
const send = (
  source: string,
  secret: string,
  body: unknown = { n: 1 },
  headers: Record<string, string> = {},
) => app.anonymous.post(`/webhook/${source}`, body, { "x-webhook-secret": secret, ...headers });
const taskOf = async (taskId: string) => (await alice.get(`/api/tasks/${taskId}`)).body.task;
const deliveriesOf = async (id: string) =>
  (await alice.get(`/api/webhooks/${id}/deliveries?limit=200`)).body.deliveries;

test("a webhook is made with its secret and its address, and the secret is never shown again", async () => {
  const answer = await alice.post("/api/webhooks", {
    name: "Orders",
    source: "Shop.orders_1",
    workflowId,
    metadata: { events: ["order.created"], note: "kept" },
  });
  expect(answer.status).toBe(201);
  const { webhook } = answer.body;
  expect(webhook).toEqual({
    id: expect.stringMatching(/^wh_/),
    name: "Orders",
    source: "Shop.orders_1",
    workflowId,
    metadata: { events: ["order.created"], note: "kept" },
    signature: null,
    url: "http://localhost:80/webhook/Shop.orders_1",
    active: true,
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
    secret: expect.stringMatching(/^[\w-]{43}$/),
  });
  const { secret, ...shown } = webhook;
  expect((await alice.get(`/api/webhooks/${webhook.id}`)).body).toEqual({ ok: true, webhook: shown });
  for (const url of ["/api/webhooks?limit=200", `/api/webhooks/${webhook.id}`]) {
    expect((await alice.get(url)).text).not.toContain(secret);
  }
});

test("the address is PUBLIC_URL's where it is set", async () => {
  const own = await useTestApp({ PUBLIC_URL: "https://baton.example/base/" });
  const carol = await registerUser(own, "carol");
  const { id } = await publish(carol);
  const made = await carol.post("/api/webhooks", { name: "n", source: "s", workflowId: id });
  expect(made.body.webhook.url).toBe("https://baton.example/base/webhook/s");
});

test("sources, workflows and fields that cannot be are refused", async () => {
  const create = (more: Record<string, unknown>, owner = alice) =>
    owner.post("/api/webhooks", { name: "n", source: "fine", workflowId, ...more });
  for (const more of [
    { source: "a2a" },
    { source: "-x" },
    { source: "a/b" },
    { source: "x".repeat(101) },
    { source: "" },
    { name: "" },
    { metadata: { events: "all" } },
    { signature: { scheme: "md5", secret: "x" } },
    { signature: { scheme: "hmac", secret: "" } },
  ]) {
    expect((await create(more)).status).toBe(400);
  }
  expect((await create({ workflowId: "wf_unknown" })).body.error).toBe("workflow_not_found");
  expect((await create({}, bob)).status).toBe(403);
});

test("one owner has a source once; another owner may use the same word, and the secret tells them apart", async () => {
  const mine = await makeWebhook({ source: "shared" });
  const taken = await alice.post("/api/webhooks", { name: "n", source: "shared", workflowId });
  expect(taken.status).toBe(409);
  expect(taken.body.error).toBe("source_taken");
  const other = await makeWebhook({ source: "other-word" });
  expect((await alice.patch(`/api/webhooks/${other.id}`, { source: "shared" })).body.error).toBe(
    "source_taken",
  );
  const theirs = await makeWebhook({ source: "shared", workflowId: (await publish(bob)).id }, bob);
  for (const [owner, webhook] of [
    [alice, mine],
    [bob, theirs],
  ] as const) {
    const { taskId } = (await send("shared", webhook.secret)).body;
    const { task } = (await owner.get(`/api/tasks/${taskId}`)).body;
    expect(task.workflowId).toBe(webhook.workflowId);
  }
});

test("a call makes a task whose input is the body exactly as it came", async () => {
  const webhook = await makeWebhook();
  for (const body of [{ b: 1, a: [null, { "": "ü\u0000" }] }, [1], "text", 5, true, null, {}]) {
    const answer = await send(webhook.source, webhook.secret, JSON.stringify(body));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ok: true, taskId: expect.stringMatching(/^task_/) });
    expect(await taskOf(answer.body.taskId)).toMatchObject({ trigger: "webhook", input: body });
  }
  const byQuery = await app.anonymous.post(`/webhook/${webhook.source}?secret=${webhook.secret}`, { q: 1 });
  expect(byQuery.status).toBe(200);
});

test("no secret is 401; a wrong source, a wrong secret and an inactive webhook answer alike", async () => {
  const webhook = await makeWebhook();
  const inactive = await makeWebhook({ active: false });
  for (const url of [
    `/webhook/${webhook.source}`,
    `/webhook/${webhook.source}?secret=`,
    "/webhook/unknown",
  ]) {
    const answer = await app.anonymous.post(url, {});
    expect(answer.status).toBe(401);
    expect(answer.body.error).toBe("missing_secret");
  }
  const texts = new Set<string>();
  for (const [source, secret] of [
    [webhook.source, "wrong"],
    ["unknown", webhook.secret],
    [inactive.source, inactive.secret],
    [webhook.source.toUpperCase(), webhook.secret],
  ] as const) {
    const answer = await send(source, secret);
    expect(answer.status).toBe(403);
    expect(answer.body.error).toBe("invalid_secret");
    texts.add(answer.text);
  }
  expect(texts.size).toBe(1);
  const twice = `/webhook/${webhook.source}?secret=${webhook.secret}&secret=x`;
  expect((await app.anonymous.post(twice, {})).body.error).toBe("invalid_secret");
  expect(await deliveriesOf(webhook.id)).toEqual([]);
});

test("[S10] a call without the right secret is refused before its body is read", async () => {
  const webhook = await makeWebhook();
  const tooLarge = JSON.stringify("x".repeat(8192));
  expect((await send(webhook.source, "wrong", tooLarge)).status).toBe(403);
  expect((await send(webhook.source, webhook.secret, tooLarge)).status).toBe(413);
});

test("[S8] only JSON is taken, and a body that names a file stays data", async () => {
  const webhook = await makeWebhook();
  const body = { file: { filepath: "/etc/passwd", path: "/etc/passwd", originalFilename: "a.pdf" } };
  for (const contentType of [
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
    "text/plain",
  ]) {
    const answer = await app.anonymous.call(`/webhook/${webhook.source}`, {
      method: "POST",
      headers: { "x-webhook-secret": webhook.secret },
      contentType,
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(415);
    expect(answer.body.error).toBe("unsupported_media_type");
  }
  const { taskId } = (await send(webhook.source, webhook.secret, body)).body;
  expect((await taskOf(taskId)).input).toEqual(body);
});

test("what is no JSON is 400, and is noted for the owner", async () => {
  const webhook = await makeWebhook();
  const bodies = [
    "{ not json",
    "",
    Buffer.from([0x22, 0xff, 0x22]),
    `${"[".repeat(300)}${"]".repeat(300)}`,
    '{"__proto__":1}',
  ];
  for (const body of bodies) {
    const answer = await send(webhook.source, webhook.secret, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe("invalid_json");
  }
  const noted = await deliveriesOf(webhook.id);
  expect(noted).toHaveLength(bodies.length);
  expect(noted[0]).toMatchObject({ status: "rejected", reason: "invalid_json", body: null, taskId: null });
});

test("[S17] the secret is in no answer, task, delivery or file, in whichever form it came", async () => {
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
    const answer = await alice.get(url);
    expect(answer.status).toBe(200);
    texts.push(answer.text);
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

test("a rotated secret fails at once and the new one works", async () => {
  const webhook = await makeWebhook();
  const rotated = await alice.post(`/api/webhooks/${webhook.id}/rotate`);
  expect(rotated.status).toBe(200);
  expect(rotated.body.webhook.secret).not.toBe(webhook.secret);
  expect((await send(webhook.source, webhook.secret)).status).toBe(403);
  expect((await send(webhook.source, rotated.body.webhook.secret)).status).toBe(200);
});

test("a webhook is changed in part, switched off and on, and deleted", async () => {
  const webhook = await makeWebhook({ metadata: { events: ["a"] } });
  const changed = await alice.patch(`/api/webhooks/${webhook.id}`, { name: "New", active: false });
  expect(changed.body.webhook).toMatchObject({ name: "New", active: false, metadata: { events: ["a"] } });
  expect((await send(webhook.source, webhook.secret)).status).toBe(403);
  await alice.patch(`/api/webhooks/${webhook.id}`, { active: true });
  expect((await send(webhook.source, webhook.secret)).status).toBe(200);
  expect((await alice.delete(`/api/webhooks/${webhook.id}`)).body).toEqual({ ok: true });
  expect((await send(webhook.source, webhook.secret)).status).toBe(403);
  expect((await alice.get(`/api/webhooks/${webhook.id}`)).body.error).toBe("webhook_not_found");
});

test("a call for a workflow that was deleted says so and is noted", async () => {
  const gone = (await publish(alice, { enabled: false }, echoGraph)).id;
  const webhook = await makeWebhook({ workflowId: gone });
  await alice.delete(`/api/workflows/${gone}`);
  const answer = await send(webhook.source, webhook.secret);
  expect(answer.body.error).toBe("workflow_not_found");
  expect((await deliveriesOf(webhook.id))[0]).toMatchObject({
    status: "rejected",
    reason: "workflow_not_found",
  });
});

test("[S13] webhooks and deliveries of others are out of reach for every verb", async () => {
  const webhook = await makeWebhook();
  await send(webhook.source, webhook.secret);
  const [{ id: deliveryId }] = await deliveriesOf(webhook.id);
  const url = `/api/webhooks/${webhook.id}`;
  for (const answer of [
    await bob.get(url),
    await bob.patch(url, { name: "x" }),
    await bob.delete(url),
    await bob.post(`${url}/rotate`),
    await bob.get(`${url}/deliveries`),
    await bob.post(`${url}/deliveries/${deliveryId}/redeliver`),
  ]) {
    expect(answer.status).toBe(403);
    expect(answer.body.error).toBe("forbidden");
  }
  const own = await makeWebhook({ workflowId: (await publish(bob)).id }, bob);
  const crossed = await bob.post(`/api/webhooks/${own.id}/deliveries/${deliveryId}/redeliver`);
  expect(crossed.body.error).toBe("delivery_not_found");
});

test("a delivery is kept and makes a new task with the same input when it is sent again", async () => {
  const webhook = await makeWebhook();
  const { taskId } = (await send(webhook.source, webhook.secret, { order: 9 }, { "x-event": "made" })).body;
  const [delivery] = await deliveriesOf(webhook.id);
  expect(delivery).toEqual({
    id: expect.stringMatching(/^dlv_/),
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

test("[R3] fifty equal deliveries at once make one task, by header and by the vendor's delivery id", async () => {
  for (const headers of [
    { "idempotency-key": "one" },
    { "x-github-delivery": "g-1" },
    { "webhook-id": "m-1" },
  ]) {
    const webhook = await makeWebhook();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        send(webhook.source, webhook.secret, { n: 1 }, headers as Record<string, string>),
      ),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    const other = await send(webhook.source, webhook.secret, { n: 2 }, headers as Record<string, string>);
    expect(other.body.error).toBe("idempotency_conflict");
    const kinds = (await deliveriesOf(webhook.id)).map(({ reason }: { reason: string | null }) => reason);
    expect(kinds.filter((reason: string | null) => reason === null)).toHaveLength(1);
  }
});

test("[S23] twenty a minute for each address and webhook, counted before the secret, whatever X-Forwarded-For says", async () => {
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
  expect((await knock("another", "wrong", 1)).status).toBe(403);
});
