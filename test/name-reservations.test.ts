import { afterAll, expect, test } from "vitest";
import { systemClock } from "../server/lib/clock.ts";
import { echoGraph, publish } from "./support/endpoints.ts";
import { createTestApp, registerUser } from "./support/test-app.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
let now = Date.parse("2030-01-01T00:00:00Z");
const app = await createTestApp({}, { clock: { ...systemClock, now: () => now } });
afterAll(() => app.close());
const [alice, bob] = [await registerUser(app), await registerUser(app)];

const nameOf = (endpointName: string) => ({
  name: "Endpoint",
  metadata: echoGraph,
  apiSettings: { enabled: true, endpointName },
});

test("the name of a disabled, renamed or deleted endpoint is reserved for its owner for 30 days", async () => {
  const endings: ((id: string) => Promise<{ status: number }>)[] = [
    (id) => alice.patch(`/api/workflows/${id}`, { apiSettings: { enabled: false } }),
    (id) => alice.patch(`/api/workflows/${id}`, { apiSettings: { endpointName: `moved-${id}` } }),
    (id) => alice.delete(`/api/workflows/${id}`),
  ];
  const released: string[] = [];
  for (const [at, end] of endings.entries()) {
    const endpointName = `Orders-${at}`;
    const { id } = await publish(alice, { endpointName });
    expect((await end(id)).status).toBe(200);
    const taken = await bob.post("/api/workflows", nameOf(endpointName.toLowerCase()));
    expect([taken.status, taken.body.error]).toEqual([409, "slug_taken"]);
    released.push(endpointName);
  }
  const own = await publish(alice, { endpointName: released[0] });
  const other = await publish(bob, { endpointName: "bobs" });
  const renamed = { apiSettings: { endpointName: released[1] } };
  expect((await bob.patch(`/api/workflows/${other.id}`, renamed)).body.error).toBe("slug_taken");
  expect((await alice.delete(`/api/workflows/${own.id}`)).status).toBe(200);

  now += 31 * DAY_MS;
  const carol = await registerUser(app);
  for (const endpointName of released) await publish(carol, { endpointName });
});

test("the source of a disabled, renamed or deleted webhook is reserved for its owner for 30 days", async () => {
  const [first, second] = [await registerUser(app), await registerUser(app)];
  const [workflow, strange] = [await publish(first), await publish(second)];
  const make = (owner: typeof first, source: string) =>
    owner.post("/api/webhooks", {
      name: "Orders",
      source,
      workflowId: owner === first ? workflow.id : strange.id,
    });
  const endings: ((id: string) => Promise<{ status: number }>)[] = [
    (id) => first.patch(`/api/webhooks/${id}`, { active: false }),
    (id) => first.patch(`/api/webhooks/${id}`, { source: `moved-${id}` }),
    (id) => first.delete(`/api/webhooks/${id}`),
  ];
  for (const [at, end] of endings.entries()) {
    const { id } = (await make(first, `orders-${at}`)).body.webhook;
    expect((await end(id)).status).toBe(200);
    const taken = await make(second, `orders-${at}`);
    expect([taken.status, taken.body.error]).toEqual([409, "source_taken"]);
  }
  const { id } = (await make(second, "own")).body.webhook;
  const changed = await second.patch(`/api/webhooks/${id}`, { source: "orders-1" });
  expect([changed.status, changed.body.error]).toEqual([409, "source_taken"]);

  // The owner takes it back at once; from then on it is shared again.
  expect((await make(first, "orders-2")).status).toBe(201);
  expect((await make(second, "orders-2")).status).toBe(201);
  now += 31 * DAY_MS;
  const third = await registerUser(app);
  const later = await publish(third);
  const body = { name: "Orders", source: "orders-1", workflowId: later.id };
  expect((await third.post("/api/webhooks", body)).status).toBe(201);
});
