import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { outputTooLarge, payloadTooLarge } from "./limit-reached.ts";
import { createLimits } from "./limits.ts";

function useLimits(settings: Record<string, string> = {}) {
  const registry = new Registry();
  return { registry, limits: createLimits(readConfig(settings).limits.values, registry) };
}

test("a refusal names its setting and is counted", async () => {
  const { limits, registry } = useLimits();
  const error = limits.refuse("queued_tasks", "You have 3 unfinished tasks.", { retryAfterSeconds: 2 });
  expect(error).toMatchObject({
    code: "limit_reached",
    message: "You have 3 unfinished tasks. The operator can raise QUEUED_TASKS_PER_OWNER.",
    details: { limit: "QUEUED_TASKS_PER_OWNER" },
    retryAfterMs: 2000,
    permanent: false,
  });
  expect(await registry.metrics()).toContain('baton_limit_refusals_total{limit="queued_tasks"} 1');
});

test("a value over its budget fails for good and names the setting, on a request and in a step", () => {
  expect(outputTooLarge("value_bytes", "The output has 11 MB.")).toMatchObject({
    code: "output_too_large",
    permanent: true,
    stepExtra: { details: { limit: "MAX_VALUE_BYTES" } },
  });
  expect(payloadTooLarge("response_bytes", "The task has 1 GB of outputs.")).toMatchObject({
    code: "payload_too_large",
    details: { limit: "MAX_RESPONSE_BYTES" },
  });
});

test("a limit of 0 is off", () => {
  const { limits } = useLimits({ QUEUED_TASKS_PER_OWNER: "0", DESCENDANTS_PER_TASK: "5" });
  expect(limits.exceeds("queued_tasks", 1e12, "user_1")).toBe(false);
  expect([5, 6].map((use) => limits.exceeds("descendants", use))).toEqual([false, true]);
});

test("an owner gets half of the slots unless a setting says otherwise", () => {
  const runningTasks = (settings: Record<string, string>) =>
    useLimits(settings).limits.max("running_tasks", "user_1");
  expect(runningTasks({ WORKER_CONCURRENCY: "7" })).toBe(4);
  expect(runningTasks({ WORKER_CONCURRENCY: "7", RUNNING_TASKS_PER_OWNER: "6" })).toBe(6);
  expect(runningTasks({ RUNNING_TASKS_PER_OWNER: "0" })).toBe(0);
});

test("a workspace may have limits of its own, also while jobs of it wait", async () => {
  const { limits } = useLimits({
    MODEL_CALLS_PER_OWNER: "1",
    EMAILS_PER_HOUR: "1",
    QUEUED_TASKS_PER_OWNER: "5",
  });
  limits.setWorkspaceLimits(new Map([["ws_1", { queued_tasks: 2, model_calls: 2, emails: 0 }]]));
  expect(["ws_1", "ws_2"].map((id) => limits.max("queued_tasks", id))).toEqual([2, 5]);
  expect(["ws_1", "ws_2"].map((id) => limits.exceeds("queued_tasks", 3, id))).toEqual([true, false]);
  const queue = limits.share({ share: "model_calls", slots: 4, perKey: "model_calls" });
  const never = () => new Promise<void>(() => undefined);
  for (const id of ["ws_1", "ws_1", "ws_1", "ws_2", "ws_2"]) void queue.run(id, never);
  expect(["ws_1", "ws_2"].map((id) => queue.running(id))).toEqual([2, 1]);
  const emails = limits.hourly("emails");
  for (const id of ["ws_1", "ws_2"]) emails.add(id, 1);
  expect(() => emails.assertLeft("ws_1")).not.toThrow();
  expect(() => emails.assertLeft("ws_2")).toThrow("The limit of this hour is reached: 1 emails.");
  const used = await limits.usage("ws_1");
  expect(used.find(({ name }) => name === "queued_tasks")?.limit).toBe(2);
});

test("usage joins the limits with what the parts report about the owner", async () => {
  const { limits } = useLimits({ QUEUED_TASKS_PER_OWNER: "9" });
  limits.reports("queued_tasks", async (ownerId) => (ownerId === "user_a" ? 4 : 0));
  const usage = await limits.usage("user_a");
  expect(usage.find(({ name }) => name === "queued_tasks")).toMatchObject({
    limit: 9,
    used: 4,
    unit: "tasks",
  });
  expect(usage.find(({ name }) => name === "value_bytes")).toMatchObject({ used: null, unit: "bytes" });
});

test("the metrics show the running and waiting jobs of each share, and a full queue names its limit", async () => {
  const { limits, registry } = useLimits({ WAITING_JOBS_PER_OWNER: "1" });
  const queue = limits.share({ share: "expressions", slots: 2, perKey: "expressions" });
  const forever = () => new Promise<void>(() => {});
  void queue.run("user_a", forever);
  void queue.run("user_a", forever);
  await expect(queue.run("user_a", forever)).rejects.toMatchObject({
    code: "limit_reached",
    details: { limit: "WAITING_JOBS_PER_OWNER" },
  });
  const text = await registry.metrics();
  expect(text).toContain('baton_share_running{share="expressions"} 1');
  expect(text).toContain('baton_share_waiting{share="expressions"} 1');
  expect(await limits.usage("user_a")).toContainEqual(
    expect.objectContaining({ name: "expressions", limit: 1, used: 1 }),
  );
});
