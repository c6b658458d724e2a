import { expect, test } from "vitest";
import { publish } from "./support/endpoints.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";
import { shareWebhooks } from "./support/webhooks.ts";

const { alice, bob, workflowId, makeWebhook, send, deliveriesOf } = await shareWebhooks();

test("creating a webhook returns its secret and URL, and the secret is never shown again", async () => {
  const response = await alice.post("/api/webhooks", {
    name: "Orders",
    source: "Shop.orders_1",
    workflowId,
    metadata: { events: ["order.created"], note: "kept" },
  });
  expect(response.status).toBe(201);
  const { webhook } = response.body;
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

test("the URL starts with PUBLIC_URL if it is set", async () => {
  const own = await useTestApp({ PUBLIC_URL: "https://baton.example/base/" });
  const carol = await registerUser(own, "carol");
  const { id } = await publish(carol);
  const made = await carol.post("/api/webhooks", { name: "n", source: "s", workflowId: id });
  expect(made.body.webhook.url).toBe("https://baton.example/base/webhook/s");
});

test("invalid sources, workflows and fields are rejected", async () => {
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
    { signature: { scheme: "svix", secret: "whsec_" } },
    { signature: { scheme: "standard", secret: "whsec_A" } },
    { signature: { scheme: "standard", secret: "whsec_==\n" } },
  ]) {
    expect((await create(more)).status).toBe(400);
  }
  expect((await create({ workflowId: "wf_unknown" })).body.error).toBe("workflow_not_found");
  expect((await create({}, bob)).status).toBe(403);
});

test("a source is unique per owner; owners with the same source are distinguished by the secret", async () => {
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

test("a rotated secret fails at once and the new one works", async () => {
  const webhook = await makeWebhook();
  const rotated = await alice.post(`/api/webhooks/${webhook.id}/rotate`);
  expect(rotated.status).toBe(200);
  expect(rotated.body.webhook.secret).not.toBe(webhook.secret);
  expect((await send(webhook.source, webhook.secret)).status).toBe(403);
  expect((await send(webhook.source, rotated.body.webhook.secret)).status).toBe(200);
});

test("a webhook can be updated in part, disabled, enabled and deleted", async () => {
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

test("[S13] webhooks and deliveries of other users are 403 for every method", async () => {
  const webhook = await makeWebhook();
  await send(webhook.source, webhook.secret);
  const [{ id: deliveryId }] = await deliveriesOf(webhook.id);
  const url = `/api/webhooks/${webhook.id}`;
  for (const response of [
    await bob.get(url),
    await bob.patch(url, { name: "x" }),
    await bob.delete(url),
    await bob.post(`${url}/rotate`),
    await bob.get(`${url}/deliveries`),
    await bob.post(`${url}/deliveries/${deliveryId}/redeliver`),
  ]) {
    expect(response.status).toBe(403);
    expect(response.body.error).toBe("forbidden");
  }
  const own = await makeWebhook({ workflowId: (await publish(bob)).id }, bob);
  const crossed = await bob.post(`/api/webhooks/${own.id}/deliveries/${deliveryId}/redeliver`);
  expect(crossed.body.error).toBe("delivery_not_found");
});
