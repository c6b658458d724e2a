import { expect, test } from "vitest";
import { publish } from "./support/endpoints.ts";
import { shareWebhooks } from "./support/webhooks.ts";

const { app, alice, makeWebhook, send, taskOf, deliveriesOf } = await shareWebhooks();
const template = { input: "{{input}}", event: "{{trigger.event}}", type: "{{trigger.event.type}}" };
const steps = [{ stepId: "show", type: "transform", template }];
const workflowId: string = (await publish(alice, { enabled: false }, { steps, edges: [] })).id;

const EVENT = {
  specversion: "1.0",
  id: "e-1",
  source: "/orders",
  type: "order.created",
  subject: "42",
  tenant: "bern",
};
const STRUCTURED = { "content-type": "application/cloudevents+json; charset=utf-8" };

/** The text of the request is the body as given: `send` would set the type of plain JSON. */
const sendStructured = (webhook: any, event: unknown) =>
  app.anonymous.call(`/webhook/${webhook.source}`, {
    method: "POST",
    headers: { "x-webhook-secret": webhook.secret },
    contentType: STRUCTURED["content-type"],
    body: JSON.stringify(event),
  });

async function outputOf(taskId: string): Promise<any> {
  await expect.poll(async () => (await taskOf(taskId)).status).toBe("completed");
  return (await taskOf(taskId)).result.output;
}

test("the data of a structured event is the input, and its attributes are trigger data, also when redelivered", async () => {
  const webhook = await makeWebhook({ workflowId });
  const { status, body } = await sendStructured(webhook, { ...EVENT, data: { total: 12 } });
  expect(status).toBe(200);
  const wanted = { input: { total: 12 }, event: EVENT, type: "order.created" };
  expect(await outputOf(body.taskId)).toEqual(wanted);
  const [delivery] = await deliveriesOf(webhook.id);
  const path = `/api/webhooks/${webhook.id}/deliveries/${delivery.id}/redeliver`;
  expect(await outputOf((await alice.post(path)).body.taskId)).toEqual(wanted);
});

test("the body of a binary event is the input, and its ce- headers are trigger data", async () => {
  const webhook = await makeWebhook({ workflowId });
  const headers = {
    "ce-specversion": "1.0",
    "ce-id": "e-1",
    "ce-source": "/orders",
    "ce-type": "order.created",
    "ce-subject": "Z%C3%BCrich",
  };
  const { body } = await send(webhook.source, webhook.secret, { total: 12 }, headers);
  expect(await outputOf(body.taskId)).toMatchObject({
    input: { total: 12 },
    event: { id: "e-1", subject: "Zürich", datacontenttype: "application/json" },
    type: "order.created",
  });
});

test("events with the same id and source start one task, whatever else they contain", async () => {
  const webhook = await makeWebhook({ workflowId });
  const first = (await sendStructured(webhook, { ...EVENT, data: 1 })).body.taskId;
  expect((await sendStructured(webhook, { ...EVENT, data: 2, time: "now" })).body.taskId).toBe(first);
  const binary = { "ce-specversion": "1.0", "ce-id": "e-1", "ce-source": "/orders", "ce-type": "x" };
  expect((await send(webhook.source, webhook.secret, {}, binary)).body.taskId).toBe(first);
  expect((await sendStructured(webhook, { ...EVENT, source: "/refunds" })).body.taskId).not.toBe(first);
  expect((await sendStructured(webhook, { ...EVENT, id: "e-2" })).body.taskId).not.toBe(first);
});

test("an event without data has an empty input; one with bytes keeps them in base 64", async () => {
  const webhook = await makeWebhook({ workflowId });
  const empty = (await sendStructured(webhook, EVENT)).body.taskId;
  expect((await outputOf(empty)).input).toEqual({});
  const bytes = (await sendStructured(webhook, { ...EVENT, id: "e-2", data_base64: "AAE=" })).body.taskId;
  expect((await outputOf(bytes)).input).toEqual({ data_base64: "AAE=" });
});

test.each([
  ["no id", { ...EVENT, id: undefined }],
  ["an empty source", { ...EVENT, source: "" }],
  ["a type that is no text", { ...EVENT, type: 1 }],
  ["another version", { ...EVENT, specversion: "0.3" }],
  ["no object", [EVENT]],
  [
    "too many attributes",
    { ...EVENT, ...Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`a${index}`, 1])) },
  ],
])("an event with %s is 400", async (_name, event) => {
  const webhook = await makeWebhook({ workflowId });
  const { status, body } = await sendStructured(webhook, event);
  expect([status, body.error]).toEqual([400, "invalid_request"]);
});

test("an event of Baton is accepted by a webhook with its signing secret", async () => {
  const created = await alice.post("/api/event-subscriptions", {
    url: "https://example.com/later",
    types: ["baton.run.failed"],
  });
  const { id, secret } = created.body.subscription;
  const address = await app.listen();
  const webhook = await makeWebhook({ workflowId, signature: { scheme: "standard", secret } });
  await alice.patch(`/api/event-subscriptions/${id}`, { url: `${address}/webhook/${webhook.source}` });
  await alice.post(`/api/event-subscriptions/${id}/test`);
  await expect.poll(async () => (await deliveriesOf(webhook.id))[0]?.status).toBe("accepted");
  const [{ taskId }] = await deliveriesOf(webhook.id);
  expect(await outputOf(taskId)).toMatchObject({
    type: "baton.test",
    input: { message: expect.any(String) },
  });
});
