import type { Task } from "@a2a-js/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDb, type TestDb } from "../../test/support/open-db.ts";
import type { DueLoop } from "../engine/worker/due-loop.ts";
import { systemClock } from "../lib/clock.ts";
import { createSecretBox } from "../security/secret-box.ts";
import { createPushConfigs } from "./push-configs.ts";
import { createPushConfigStore, type PushConfigRecord } from "./push-config.sql.ts";
import { createPushLoop } from "./push-loop.ts";
import { loadSdk } from "./sdk.ts";

let opened: TestDb;
beforeAll(async () => {
  opened = await openTestDb();
});
afterAll(() => opened.close());

function configOf(ownerId: string, id: string): PushConfigRecord {
  const names = { agentId: "wf_1", caller: "key_1", contextId: "ctx_1", configId: id, taskId: `task_${id}` };
  const receiver = { url: "https://example.com", sealed: "", protocol: "1.0", reported: null };
  return { id, ownerId, ...names, ...receiver, dueAt: 1, createdAt: 1 };
}

test("owners are served in turn: tasks of one that are slow to read do not delay those of another", async () => {
  const store = createPushConfigStore(opened.db);
  for (let index = 0; index < 60; index++) await store.save(configOf("user_busy", `push_${index}`));
  await store.save({ ...configOf("user_quiet", "push_quiet"), dueAt: 2 });
  const reading = new Set<string>();
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let loop!: DueLoop;
  await new Promise<void>((resolve, reject) => {
    loop = createPushLoop({
      store,
      outbox: { enqueue: () => Promise.resolve() },
      clock: systemClock,
      async readTask(_sdk, { ownerId, id }): Promise<Task | undefined> {
        reading.add(id);
        if (ownerId === "user_quiet") resolve();
        else await released;
        return undefined;
      },
      onError: reject,
    });
    loop.poll();
  });
  expect([...reading].filter((id) => id !== "push_quiet").length).toBeLessThanOrEqual(2);
  release();
  await loop.close();
});

test("a webhook receives nothing once its caller may no longer call the agent", async () => {
  let isActive = true;
  const { save, receiver } = createPushConfigs({
    store: createPushConfigStore(opened.db),
    box: createSecretBox(Buffer.alloc(32)),
    clock: systemClock,
    isActive: () => Promise.resolve(isActive),
    wake: () => {},
  });
  const caller = { ownerId: "user_1", agentId: "wf_1", caller: "key_1" };
  const given = { tenant: "", id: "", taskId: "t", url: "https://example.com/hook", token: "" };
  const task = { id: "task_1", contextId: "ctx_1" } as Task;
  const { id } = await save(await loadSdk(), caller, task, { ...given, authentication: undefined }, "1.0");
  expect(await receiver(id, "user_1")).toMatchObject({ url: given.url });
  isActive = false;
  expect(await receiver(id, "user_1")).toBeUndefined();
});
