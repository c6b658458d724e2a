import { expect, onTestFinished, test } from "vitest";
import { insertAccounts, openTestDb } from "../../test/support/open-db.ts";
import { limitsOf } from "../limits/testing/limits-of.ts";
import { systemClock } from "../lib/clock.ts";
import { createWaitEventStore } from "./wait-event.sql.ts";
import { createWaitEvents } from "./wait-events.ts";

test("an early call of a resume URL counts against the bytes of kept events", async () => {
  const { db, close } = await openTestDb();
  onTestFinished(close);
  await insertAccounts(db, ["user_1"]);
  const store = createWaitEventStore(db);
  const events = createWaitEvents({
    store: { ...store, findWaiting: () => Promise.resolve({ ownerId: "user_1" }) },
    engine: { nudge: () => undefined },
    urls: { read: (path) => ({ taskId: "task_1", path }), urlOf: (_taskId, path) => path },
    requireTask: () => Promise.resolve(),
    limits: limitsOf({ kept_event_bytes: 100 }),
    clock: systemClock,
  });
  expect(await events.resume("a", "x".repeat(60))).toMatchObject({ delivered: false });
  await expect(events.resume("b", "x".repeat(60))).rejects.toMatchObject({
    code: "limit_reached",
    details: { limit: "KEPT_EVENT_BYTES_PER_OWNER" },
  });
  await expect(events.resume("a", "again")).rejects.toMatchObject({ code: "task_not_waiting" });
  expect(await store.countKept("user_1")).toEqual({ events: 1, bytes: 62 });
});
