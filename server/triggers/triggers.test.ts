import { expect, test } from "vitest";
import { limitsOf } from "../limits/testing/limits-of.ts";
import { systemClock } from "../lib/clock.ts";
import { createSecretBox } from "../security/secret-box.ts";
import { feedTrigger } from "./testing/trigger-samples.ts";
import type { FoundItem } from "./trigger-claims.sql.ts";
import type { TriggerRecord, TriggerStore } from "./trigger.sql.ts";
import { createTriggers } from "./triggers.ts";

const NOW = 1_000_000;
const TRIGGER = { ...feedTrigger, nextCheckAt: NOW };

function open({ checks = 0, sample = () => Promise.resolve<FoundItem | undefined>(undefined) } = {}) {
  let stored: TriggerRecord = TRIGGER;
  const store = {
    get: () => Promise.resolve(stored),
    countChecks: () => Promise.resolve(checks),
    update(next: TriggerRecord) {
      stored = next;
      return Promise.resolve(true);
    },
  } as unknown as TriggerStore;
  return createTriggers({
    store,
    box: createSecretBox(Buffer.alloc(32, 7)),
    clock: { ...systemClock, now: () => NOW },
    limits: limitsOf({ triggers: 2, trigger_checks: 2 }),
    minIntervalSeconds: 60,
    sourceOf: () => ({ check: () => Promise.reject(new Error("unused")), sample }),
    checkWorkflow: () => Promise.resolve(),
    checkAgent: () => Promise.resolve(),
    checkMailbox: () => Promise.resolve(),
    checkApp: () => Promise.resolve(),
    onChanged: () => undefined,
  });
}

test("tests of triggers count as checks: the limit of an owner includes both", async () => {
  let resolve: (item: undefined) => void = () => undefined;
  const promise = new Promise<undefined>((done) => (resolve = done));
  const triggers = open({ checks: 1, sample: () => promise });
  const running = triggers.sample("user_1", "trg_1");
  await expect(triggers.sample("user_1", "trg_1")).rejects.toMatchObject({ code: "limit_reached" });
  resolve(undefined);
  await running;
  expect(await triggers.sample("user_1", "trg_1")).toBe(undefined);
});

test("changes in a row check the source no more often than the shortest interval", async () => {
  const triggers = open();
  expect((await triggers.update("user_1", "trg_1", { name: "a" })).nextCheckAt).toBe(NOW);
  expect((await triggers.update("user_1", "trg_1", { name: "b" })).nextCheckAt).toBe(NOW + 60_000);
});
