import { expect, onTestFinished, test, vi } from "vitest";
import type { AuditEvent } from "../contract/audit.ts";
import { AUDIT_EVENT_TYPE, type EventDelivery } from "../contract/events.ts";
import { receivedRequest } from "../server/webhooks/signature-check.ts";
import { verifySignature } from "../server/webhooks/signatures.ts";
import { type Client, clientOf } from "./support/client.ts";
import { createTestApp, registerUser, useTemporaryFolder, useTestApp } from "./support/test-app.ts";
import { openReceiver } from "./support/webhook-receiver.ts";
import { createTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

test("a subscriber receives every event of the workspace, signed, and can verify the chain with them", async () => {
  const app = await useTestApp();
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  const ada = await registerUser(app, "ada");
  const team = inWorkspace(ada, await createTeamWorkspace(ada));
  const given = { url: receiver.url, types: [AUDIT_EVENT_TYPE] };
  const { subscription } = (await team.post("/api/event-subscriptions", given)).body;
  await team.put("/api/variables/region", { value: "eu" });
  await team.put("/api/variables/token", { value: "hush-hush-hush", secret: true });
  await ada.put("/api/variables/elsewhere", { value: 1 });
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(5));
  const stored = (await team.get("/api/audit-events/export")).text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as AuditEvent);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(stored.length - 1));
  const received = receiver.received
    .map(({ body }) => body.data as AuditEvent & { workspaceId: string })
    .toSorted((a, b) => a.sequence - b.sequence);
  // The subscription exists from the result of its own creation on.
  expect(received.map(({ workspaceId: _id, ...event }) => event)).toEqual(stored.slice(1));
  for (const { body, headers, text } of receiver.received) {
    expect(body).toMatchObject({ specversion: "1.0", type: AUDIT_EVENT_TYPE });
    const request = receivedRequest({ method: "POST", url: "/", headers, body: Buffer.from(text) });
    expect(verifySignature({ scheme: "standard", secret: subscription.secret }, request, Date.now()).ok).toBe(
      true,
    );
    expect(text.includes("hush-hush-hush")).toBe(false);
  }
  await vi.waitFor(async () => {
    const { deliveries } = (await team.get(`/api/event-subscriptions/${subscription.id}/deliveries`)).body;
    expect(deliveries[0]).toMatchObject({ type: AUDIT_EVENT_TYPE, status: "delivered", taskId: null });
  });
});

test("a subscription to runs receives no audit events, and one to audit events none of runs", async () => {
  const app = await useTestApp();
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  const ada = await registerUser(app, "ada");
  await ada.post("/api/event-subscriptions", { url: `${receiver.url}/runs`, types: ["baton.run.completed"] });
  await ada.put("/api/variables/region", { value: "eu" });
  const steps = [{ stepId: "say", type: "transform", template: "Hello" }];
  const { workflow } = (await ada.post("/api/workflows", { name: "W", metadata: { steps, edges: [] } })).body;
  await ada.post(`/api/workflows/${workflow.id}/run?wait=true`, {});
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
  expect(receiver.received[0]?.body.type).toBe("baton.run.completed");
  const [{ id }] = (await ada.get("/api/event-subscriptions")).body.subscriptions;
  await ada.patch(`/api/event-subscriptions/${id}`, { types: [AUDIT_EVENT_TYPE] });
  await ada.post(`/api/workflows/${workflow.id}/run?wait=true`, {});
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(4));
  expect(new Set(receiver.received.slice(1).map(({ body }) => body.type))).toEqual(
    new Set([AUDIT_EVENT_TYPE]),
  );
});

test("after an outage of the receiver and a restart of the service every event arrives, and the copy has no gap", async () => {
  // It moves only when the test moves it: no second attempt comes before.
  let now = Date.now();
  const clock = { now: () => now, monotonic: () => performance.now() };
  const dataDir = await useTemporaryFolder();
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  const first = await createTestApp({}, { clock, dataDir });
  const ada = await registerUser(first, "ada");
  const { body } = await ada.post("/api/event-subscriptions", {
    url: receiver.url,
    types: [AUDIT_EVENT_TYPE],
  });
  /** Recorded, not only received: the next attempt is due by the clock of that moment. */
  const attempted = (client: Client, count: number): Promise<void> =>
    vi.waitFor(
      async () => {
        const { deliveries } = (
          await client.get(`/api/event-subscriptions/${body.subscription.id}/deliveries`)
        ).body;
        const attempts = deliveries.map((delivery: EventDelivery) => delivery.attempts);
        expect(attempts.reduce((sum: number, of: number) => sum + of, 0)).toBe(count);
        expect(receiver.received).toHaveLength(count);
        // A claimed delivery is due after its claim, a recorded one after the delay of two attempts at most.
        for (const { nextAttemptAt } of deliveries as EventDelivery[])
          if (nextAttemptAt !== null) expect(Date.parse(nextAttemptAt) - now).toBeLessThanOrEqual(30_000);
      },
      { timeout: 20_000 },
    );
  await attempted(ada, 1);

  receiver.respondWith(503);
  for (const value of [1, 2, 3]) await ada.put("/api/variables/region", { value });
  await attempted(ada, 7);
  await first.stop();
  const second = await createTestApp({}, { clock, dataDir });
  onTestFinished(() => second.stop());
  const again = clientOf(second.http, ada.token);
  await again.put("/api/variables/region", { value: 4 });
  await attempted(again, 9);
  // A second failed attempt of each: the outage outlasts it.
  now += 60_000;
  await again.put("/api/variables/region", { value: 5 });
  await attempted(again, 9 + 8 + 2);

  receiver.respondWith(200);
  const failed = receiver.received.length;
  now += 3_600_000;
  await again.put("/api/variables/region", { value: 6 });
  const accepted = () =>
    [receiver.received[0]!, ...receiver.received.slice(failed)].map(({ body }) => body.data as AuditEvent);
  // Attempt and result of six changes, after the result of the subscription itself.
  await vi.waitFor(() => expect(accepted()).toHaveLength(1 + 12), { timeout: 20_000 });
  const copy = accepted().toSorted((a, b) => a.sequence - b.sequence);
  expect(copy.map(({ sequence }) => sequence)).toEqual(copy.map((_, index) => index + 2));
  copy.slice(1).forEach((event, index) => expect(event.previousHash).toBe(copy[index]!.hash));
  const { verification } = (await again.get("/api/audit-events/verification")).body;
  expect(copy.at(-1)).toMatchObject({ sequence: verification.lastSequence, hash: verification.lastHash });
});
