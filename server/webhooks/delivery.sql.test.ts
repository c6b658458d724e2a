import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestDb } from "../../test/support/open-db.ts";
import { newTask } from "../engine/testing/store-samples.ts";
import type { Db } from "../storage/db.ts";
import { createEngineStore } from "../storage/engine/engine-store.ts";
import { createDeliveryStore, type DeliveryRecord } from "./delivery.sql.ts";

let db: Db;
let close: () => Promise<void>;
beforeEach(async () => {
  ({ db, close } = await openTestDb());
  await db.batch([
    { sql: "insert into workspace (id, name, kind, created_at) values ('ada', '', 'personal', 1)" },
    {
      sql: `insert into workflow (id, owner_id, name, description, version, graph, api_enabled, api_authentication, api_sync, created_at, updated_at)
            values ('wf', 'ada', '', '', 1, '{}', 0, 1, 1, 1, 1)`,
    },
    ...["one", "two"].map((id) => ({
      sql: `insert into webhook (id, owner_id, name, source, workflow_id, metadata, secret_hash, active, created_at, updated_at)
            values ($1, 'ada', '', $1, 'wf', '{}', '', 1, 1, 1)`,
      params: [id],
    })),
  ]);
});
afterEach(() => close());

function delivery(id: string, more: Partial<DeliveryRecord> = {}): DeliveryRecord {
  return {
    id,
    webhookId: "one",
    status: "accepted",
    reason: null,
    method: "POST",
    headers: {},
    query: {},
    body: '"x"',
    taskId: null,
    redeliveryOf: null,
    createdAt: 1,
    ...more,
  };
}
const idsOf = async (webhookId: string, limit = 200) =>
  (await createDeliveryStore(db).list(webhookId, { limit })).items.map(({ id }) => id);

test("pruning keeps the newest deliveries per status, and rejected ones do not displace accepted ones", async () => {
  const store = createDeliveryStore(db);
  for (const n of [1, 2, 3, 4]) {
    await store.insert(delivery(`dlv_${n}a`));
    await store.insert(delivery(`dlv_${n}r`, { status: "rejected" }));
  }
  await store.insert(delivery("dlv_other", { webhookId: "two" }));
  await store.prune({ webhookId: "one", status: "accepted" }, { deliveries: 3, characters: 1_000 });
  await store.prune({ webhookId: "one", status: "rejected" }, { deliveries: 1, characters: 1_000 });
  expect(await idsOf("one")).toEqual(["dlv_4r", "dlv_4a", "dlv_3a", "dlv_2a"]);
  expect(await idsOf("two")).toEqual(["dlv_other"]);
});

test("pruning limits the total size of bodies, but always keeps the newest delivery", async () => {
  const store = createDeliveryStore(db);
  for (const n of [1, 2, 3])
    await store.insert(delivery(`dlv_${n}`, { body: JSON.stringify("x".repeat(400)) }));
  await store.prune({ webhookId: "one", status: "accepted" }, { deliveries: 100, characters: 900 });
  expect(await idsOf("one")).toEqual(["dlv_3", "dlv_2"]);
  await store.prune({ webhookId: "one", status: "accepted" }, { deliveries: 100, characters: 10 });
  expect(await idsOf("one")).toEqual(["dlv_3"]);
});

test("a page of large bodies ends early, and the cursor continues there", async () => {
  const store = createDeliveryStore(db);
  const body = JSON.stringify("x".repeat(2_500_000));
  for (const n of [1, 2, 3, 4]) await store.insert(delivery(`dlv_${n}`, { body }));
  const first = await store.list("one", { limit: 50 });
  expect(first.items.map(({ id }) => id)).toEqual(["dlv_4", "dlv_3"]);
  const second = await store.list("one", { limit: 50, cursor: first.nextCursor ?? "" });
  expect(second.items.map(({ id }) => id)).toEqual(["dlv_2", "dlv_1"]);
  expect(second.nextCursor).toBeNull();
});

test("deleting a webhook deletes its deliveries, and a late delivery is not stored", async () => {
  const store = createDeliveryStore(db);
  await store.insert(delivery("dlv_1"));
  await db.batch([{ sql: "delete from webhook where id = 'one'" }]);
  await store.insert(delivery("dlv_2"));
  expect(await idsOf("one")).toEqual([]);
});

test("a delivery is stored in the write of its task, and not without it", async () => {
  const store = createEngineStore(db);
  const { id, webhookId, method, headers, query, createdAt } = delivery("dlv_1");
  const idempotency = { scope: "s", key: "k", bodyHash: "h" };
  const given = { id, webhookId, method, headers, query, createdAt, body: '"x"' };
  const first = newTask({ id: "task_1", idempotency, delivery: given });
  expect(await store.accept(first)).toEqual({ inserted: true });
  const again = newTask({ id: "task_2", idempotency, delivery: { ...given, id: "dlv_2" } });
  expect(await store.accept(again)).toMatchObject({ inserted: false, taskId: "task_1" });
  const orphan = newTask({ id: "task_3", delivery: { ...given, id: "dlv_3", webhookId: "deleted" } });
  expect(await store.accept(orphan)).toEqual({ inserted: true });
  const { items } = await createDeliveryStore(db).list("one", { limit: 10 });
  expect(items).toEqual([delivery("dlv_1", { taskId: "task_1" })]);
});

test("deliveries that share a write are each stored with their own task, except those of a deleted webhook", async () => {
  const store = createEngineStore(db);
  const ids = Array.from({ length: 21 }, (_, n) => String(n).padStart(2, "0"));
  const given = (id: string) => ({
    id: `dlv_${id}`,
    webhookId: id === "04" ? "deleted" : Number(id) % 2 === 0 ? "one" : "two",
    method: "POST",
    headers: { "x-n": id },
    query: {},
    body: JSON.stringify(id),
    createdAt: Number(id),
  });
  const results = await Promise.all(
    ids.map((id) => store.accept(newTask({ id: `task_${id}`, delivery: given(id) }))),
  );
  expect(results.every(({ inserted }) => inserted)).toBe(true);
  const listed = await Promise.all(
    ["one", "two"].map((webhookId) => createDeliveryStore(db).list(webhookId, { limit: 50 })),
  );
  const stored = listed.flatMap(({ items }) => items).toSorted((a, b) => a.createdAt - b.createdAt);
  const expected = ids
    .filter((id) => id !== "04")
    .map((id) => delivery("", { ...given(id), taskId: `task_${id}` }));
  expect(stored).toEqual(expected);
});
