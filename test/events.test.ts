import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { AUDIT_EVENT_TYPE, EVENT_TYPES } from "../contract/events.ts";
import { receivedRequest } from "../server/webhooks/signature-check.ts";
import { verifySignature } from "../server/webhooks/signatures.ts";
import { shareApp } from "./support/shared-app.ts";
import { registerUser, type RegisteredUser, useTestApp } from "./support/test-app.ts";
import { openReceiver, type ReceivedMessage } from "./support/webhook-receiver.ts";

const { app, alice, bob } = await shareApp(["alice", "bob"]);
const receiver = await openReceiver();
afterAll(() => receiver.close());
beforeEach(async () => {
  receiver.respondWith(200);
  for (const { id } of (await alice.get("/api/event-subscriptions")).body.subscriptions)
    await alice.delete(`/api/event-subscriptions/${id}`);
  receiver.received.length = 0;
});

const text = (template: string) => ({ stepId: "say", type: "transform", template });
const question = { stepId: "ask", type: "approval", message: "Pay {{input.amount}}?", context: "{{input}}" };

async function subscribe(more: Record<string, unknown> = {}, user = alice): Promise<any> {
  const types = EVENT_TYPES.filter((type) => type !== AUDIT_EVENT_TYPE);
  const given = { url: receiver.url, types, ...more };
  const { status, body } = await user.post("/api/event-subscriptions", given);
  expect(status).toBe(201);
  return body.subscription;
}

async function createWorkflow(steps: unknown[], user = alice): Promise<string> {
  return (await user.post("/api/workflows", { name: "Orders", metadata: { steps, edges: [] } })).body.workflow
    .id;
}

async function run(workflowId: string, input: unknown = {}, user: RegisteredUser = alice): Promise<string> {
  return (await user.post(`/api/workflows/${workflowId}/run?wait=true`, { input })).body.taskId;
}

/** The events of a task, by type, once these have arrived. */
const eventsOf = (taskId: string, types: string[]) =>
  vi.waitFor(() => {
    const events = receiver.received.filter(({ body }) => body.subject === taskId);
    expect(events.map(({ body }) => body.type).toSorted()).toEqual(types.toSorted());
    return new Map<string, any>(events.map((event) => [event.body.type, event.body]));
  });

const isSignedWith = (secret: string, { headers, text: body }: ReceivedMessage) =>
  verifySignature(
    { scheme: "standard", secret },
    receivedRequest({ method: "POST", url: "/", headers, body: Buffer.from(body) }),
    Date.now(),
  ).ok;

const deliveriesOf = async (id: string) =>
  (await alice.get(`/api/event-subscriptions/${id}/deliveries`)).body.deliveries;

describe("events of a run", () => {
  test("a completed run sends its start and its result as signed CloudEvents", async () => {
    const { secret } = await subscribe();
    const workflowId = await createWorkflow([text("Hello {{input.name}}")]);
    const taskId = await run(workflowId, { name: "Ada" });
    const events = await eventsOf(taskId, ["baton.run.started", "baton.run.completed"]);
    expect(events.get("baton.run.completed")).toEqual({
      specversion: "1.0",
      id: `${taskId}.2.run.completed`,
      source: expect.stringMatching(new RegExp(`^http://.+/workflows/${workflowId}$`)),
      type: "baton.run.completed",
      subject: taskId,
      time: expect.stringMatching(/^\d{4}-.+Z$/),
      datacontenttype: "application/json",
      data: {
        taskId,
        workflowId,
        workflowName: "Orders",
        workflowVersion: 1,
        trigger: "manual",
        parentTaskId: null,
        status: "completed",
        createdAt: expect.any(String),
        completedAt: expect.any(String),
        result: { output: "Hello Ada", outputs: { say: "Hello Ada" } },
      },
    });
    for (const message of receiver.received) {
      expect(message.headers["content-type"]).toBe("application/cloudevents+json");
      expect(isSignedWith(secret, message)).toBe(true);
    }
    expect(await app.sql("select * from run_event")).toEqual([]);
  });

  test("a failed run sends its error, without secrets", async () => {
    await alice.put("/api/variables/token", { value: "hush-hush-hush", secret: true });
    await subscribe({ types: ["baton.run.failed", "baton.run.completed"] });
    const url = "http://127.0.0.1:1/{{secrets.token}}";
    const failing = await run(await createWorkflow([{ stepId: "call", type: "http", method: "GET", url }]));
    const { data } = (await eventsOf(failing, ["baton.run.failed"])).get("baton.run.failed");
    expect(data).toMatchObject({ status: "failed", error: { code: "connection_failed", stepId: "call" } });
    await eventsOf(await run(await createWorkflow([text("{{secrets.token}}")])), ["baton.run.completed"]);
    expect(JSON.stringify(receiver.received)).not.toContain("hush-hush-hush");
  });

  test("a cancelled run sends its cancellation", async () => {
    await subscribe({ types: ["baton.run.cancelled"] });
    const workflowId = await createWorkflow([{ stepId: "wait", type: "delay", seconds: 3600 }]);
    const { taskId } = (await alice.post(`/api/workflows/${workflowId}/run`, {})).body;
    expect((await alice.post(`/api/tasks/${taskId}/cancel`)).status).toBe(200);
    const events = await eventsOf(taskId, ["baton.run.cancelled"]);
    expect(events.get("baton.run.cancelled").data).toMatchObject({ status: "cancelled", taskId });
  });

  test("an approval sends its question and its decision", async () => {
    await subscribe();
    const taskId = await run(await createWorkflow([question]), { amount: 12 });
    await alice.post(`/api/tasks/${taskId}/resume`, { decision: "reject", comment: "Too much" });
    const events = await eventsOf(taskId, [
      "baton.run.started",
      "baton.run.waiting_approval",
      "baton.approval.requested",
      "baton.approval.decided",
      "baton.run.rejected",
    ]);
    expect(events.get("baton.approval.requested").data).toMatchObject({
      taskId,
      stepId: "ask",
      message: "Pay 12?",
      context: { amount: 12 },
    });
    expect(events.get("baton.run.waiting_approval").data).toMatchObject({
      status: "waiting_approval",
      stepId: "ask",
    });
    expect(events.get("baton.approval.decided").data).toMatchObject({
      stepId: "ask",
      decision: "reject",
      comment: "Too much",
    });
  });

  test("only subscribed types, the chosen workflow and the owner's runs are sent", async () => {
    const chosen = await createWorkflow([text("a")]);
    await subscribe({ types: ["baton.run.completed"], workflowId: chosen });
    await run(await createWorkflow([text("b")]));
    await run(await createWorkflow([text("c")], bob), {}, bob);
    const taskId = await run(chosen);
    await eventsOf(taskId, ["baton.run.completed"]);
    expect(receiver.received).toHaveLength(1);
  });

  test("a subscription that is switched off gets nothing", async () => {
    const { id } = await subscribe();
    await alice.patch(`/api/event-subscriptions/${id}`, { active: false });
    await run(await createWorkflow([text("a")]));
    expect(await app.sql("select * from run_event")).toEqual([]);
    expect(await deliveriesOf(id)).toEqual([]);
  });

  test("events stored before a crash are sent by the next process, once", async () => {
    const first = await useTestApp();
    const carol = await registerUser(first, "carol");
    const { id } = await subscribe({}, carol);
    const taskId = await run(await createWorkflow([text("a")], carol), {}, carol);
    await eventsOf(taskId, ["baton.run.started", "baton.run.completed"]);
    await vi.waitFor(async () => {
      const { deliveries } = (await carol.get(`/api/event-subscriptions/${id}/deliveries`)).body;
      expect(deliveries.map(({ status }: any) => status)).toEqual(["delivered", "delivered"]);
    });
    await first.stop();
    // What a process leaves behind that dies between the end of the run and the next read of the events.
    await first.sql(
      `insert into run_event (id, owner_id, task_id, type, at)
       values ('left', '${carol.user.id}', '${taskId}', 'baton.run.completed', 1)`,
    );
    receiver.received.length = 0;
    const second = await useTestApp({}, { dataDir: first.dataDir });
    const events = await eventsOf(taskId, ["baton.run.completed"]);
    expect(events.get("baton.run.completed").id).toBe("left");
    expect(await second.sql("select * from run_event")).toEqual([]);
  });
});

describe("subscriptions", () => {
  test("the secret is shown once, and after a rotation both secrets sign", async () => {
    const { id, secret } = await subscribe();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const read = await alice.get(`/api/event-subscriptions/${id}`);
    expect(read.body.subscription).toMatchObject({ id, url: receiver.url, active: true, workflowId: null });
    expect(read.text).not.toContain("whsec_");
    const rotated = (await alice.post(`/api/event-subscriptions/${id}/rotate`)).body.subscription.secret;
    expect(rotated).not.toBe(secret);
    expect((await alice.post(`/api/event-subscriptions/${id}/test`)).status).toBe(200);
    const [message] = await vi.waitFor(() => {
      expect(receiver.received).toHaveLength(1);
      return receiver.received;
    });
    expect(message!.body.type).toBe("baton.test");
    expect([secret, rotated].map((each) => isSignedWith(each, message!))).toEqual([true, true]);
    const [row] = await app.sql(`select secret from event_subscription where id = '${id}'`);
    expect(String(row?.["secret"])).toMatch(/^v1\./);
  });

  test("a subscription is changed in part and deleted with its deliveries", async () => {
    const { id } = await subscribe();
    const path = `/api/event-subscriptions/${id}`;
    await alice.post(`${path}/test`);
    const workflowId = await createWorkflow([text("a")]);
    const changed = await alice.patch(path, { workflowId, types: ["baton.run.failed"] });
    expect(changed.body.subscription).toMatchObject({
      url: receiver.url,
      workflowId,
      types: ["baton.run.failed"],
    });
    expect((await alice.patch(path, { workflowId: null })).body.subscription.workflowId).toBeNull();
    expect((await alice.delete(path)).status).toBe(200);
    expect((await alice.get(path)).body.error).toBe("event_subscription_not_found");
    await vi.waitFor(async () =>
      expect(await app.sql(`select id from outbox_delivery where target_id = '${id}'`)).toEqual([]),
    );
  });

  test("invalid addresses, types and workflows are rejected, and so is the 21st subscription", async () => {
    const create = async (more: Record<string, unknown>) => {
      const given = { url: receiver.url, types: ["baton.run.failed"], ...more };
      return (await alice.post("/api/event-subscriptions", given)).status;
    };
    expect(await create({ url: "ftp://example.com" })).toBe(400);
    expect(await create({ types: [] })).toBe(400);
    expect(await create({ types: ["baton.run.lost"] })).toBe(400);
    expect(await create({ workflowId: "wf_unknown" })).toBe(404);
    expect(await create({ workflowId: await createWorkflow([text("a")], bob) })).toBe(403);
    for (let n = 0; n < 20; n++) expect(await create({})).toBe(201);
    expect(await create({})).toBe(429);
  });

  test("a receiver that responds 410 is switched off, and a delivery can be sent again", async () => {
    const { id } = await subscribe();
    const path = `/api/event-subscriptions/${id}`;
    receiver.respondWith(410, "moved away");
    await alice.post(`${path}/test`);
    const delivery = await vi.waitFor(async () => {
      const [newest] = await deliveriesOf(id);
      expect(newest).toMatchObject({
        type: "baton.test",
        status: "failed",
        attempts: 1,
        responseStatus: 410,
        responseExcerpt: "moved away",
      });
      return newest;
    });
    expect((await alice.get(path)).body.subscription).toMatchObject({
      active: false,
      disabledReason: "gone",
    });
    expect((await alice.post(`${path}/test`)).status).toBe(400);
    await alice.patch(path, { active: true });
    expect((await alice.get(path)).body.subscription.disabledReason).toBeNull();
    receiver.respondWith(204);
    expect((await alice.post(`${path}/deliveries/msg_unknown/resend`)).body.error).toBe("delivery_not_found");
    expect((await alice.post(`${path}/deliveries/${delivery.id}/resend`)).status).toBe(200);
    await vi.waitFor(async () => expect((await deliveriesOf(id))[0].status).toBe("delivered"));
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body.id)).size).toBe(1);
  });
});
