import { expect, test } from "vitest";
import type { DueLoop } from "../engine/worker/due-loop.ts";
import { systemClock } from "../lib/clock.ts";
import { createDispatchLoop } from "./dispatch.ts";
import type { SubscriptionRecord } from "./event-subscription.sql.ts";
import type { RunEvent } from "./run-event.sql.ts";

const TYPE = "baton.run.completed" as const;

test("a batch of large events is cut by its size, and every event is moved once and in order", async () => {
  const ids = Array.from({ length: 30 }, (_, index) => `evt_${String(index).padStart(2, "0")}`);
  const stored = new Set(ids);
  const batches: { count: number; characters: number }[] = [];
  const moved: string[] = [];
  let loop!: DueLoop;
  await new Promise<void>((resolve, reject) => {
    loop = createDispatchLoop({
      events: {
        oldest: (limit) => {
          const oldest = [...stored].slice(0, limit);
          // The tasks of some events are deleted.
          const events = oldest.filter((id) => !id.endsWith("5")).map(toEvent);
          return Promise.resolve({ ids: oldest, events });
        },
        moveToOutbox(chosen, messages) {
          moved.push(...chosen);
          chosen.forEach((id) => stored.delete(id));
          const characters = messages.reduce((sum, { delivery }) => sum + delivery.body.length, 0);
          batches.push({ count: messages.length, characters });
          if (stored.size === 0) resolve();
          if (batches.length > ids.length) reject(new Error("no progress"));
          return Promise.resolve();
        },
      },
      subscriptions: {
        listActive: () =>
          Promise.resolve(Array.from({ length: 20 }, (_, index) => subscriptionOf(`sub_${index}`))),
      },
      outbox: { wake: () => {} },
      notifications: {
        collect: () => ({ writes: [], created: [] }),
        insertDelivery: () => ({ sql: "" }),
        changed: () => {},
      },
      clock: systemClock,
      serviceUrl: "https://baton.example",
      onError: reject,
    });
    loop.poll();
  });
  await loop.close();
  expect(moved).toEqual(ids);
  expect(batches.length).toBeGreaterThan(1);
  expect(batches.reduce((sum, { count }) => sum + count, 0)).toBe(27 * 20);
  // One event with its twenty messages may exceed the limit.
  expect(Math.max(...batches.map(({ characters }) => characters))).toBeLessThan(10 * 1024 * 1024);
});

function toEvent(id: string): RunEvent {
  const workflow = { workflowId: "wf_1", workflowName: "Big", workflowVersion: 1 };
  const parent = { parentTaskId: null, parentStep: null };
  const result = { result: { output: "x".repeat(60_000) }, resultOmitted: false };
  const task = {
    id: "task_1",
    ...workflow,
    ...parent,
    ...result,
    trigger: "api",
    isTest: false,
    createdAt: 1,
  };
  return { id, ownerId: "user_1", type: TYPE, at: 1, count: 1, data: {}, task };
}

function subscriptionOf(id: string): SubscriptionRecord {
  return { id, ownerId: "user_1", types: [TYPE], workflowId: null } as unknown as SubscriptionRecord;
}
