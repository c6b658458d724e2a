import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestDb } from "../../test/support/open-db.ts";
import { notFound } from "../lib/errors.ts";
import { limitsOf } from "../limits/testing/limits-of.ts";
import type { Db } from "../storage/db.ts";
import { createKeyValueStore, type KeyValueStore } from "./key-value-store.ts";
import { createStoreValues } from "./store.sql.ts";

let db: Db;
let close: () => Promise<void>;
let now = 1_000;
const clock = { now: () => now, monotonic: () => now };

beforeEach(async () => {
  now = 1_000;
  ({ db, close } = await openTestDb());
  const accounts = ["ada", "ben"].map((id) => ({
    sql: "insert into workspace (id, name, kind, created_at) values ($1, '', 'personal', 1)",
    params: [id],
  }));
  await db.batch([
    ...accounts,
    {
      sql: `insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake, lives, lives_seq, created_at)
            values ('task_1', 'ada', 'wf', 1, 'running', 'api', '{}', 0, 1, 0, 0, 0, 1)`,
    },
  ]);
});
afterEach(() => close());

/** Each has its own queue, as in another process. */
function open(limits = limitsOf()): KeyValueStore {
  return createKeyValueStore({
    values: createStoreValues(db),
    clock,
    limits,
    requireScope: (_ownerId, scope) =>
      scope === "wf_gone" ? Promise.reject(notFound("workflow")) : Promise.resolve(),
  });
}

const at = (key: string, scope = "wf_1", ownerId = "ada") => ({ ownerId, scope, key });
const step = (path: string) => ({ idempotencyKey: `task_1:${path}`, taskId: "task_1" });

describe("values", () => {
  test("are separate by owner, scope and key", async () => {
    const store = open();
    await store.set(at("a"), { n: [1] });
    await store.set(at("a", "workspace"), "shared");
    expect(await store.get(at("a"))).toEqual({ found: true, value: { n: [1] } });
    expect(await store.get(at("a", "workspace"))).toEqual({ found: true, value: "shared" });
    expect(await store.get(at("a", "wf_1", "ben"))).toEqual({ found: false, value: null });
    expect(await store.remove(at("a"))).toEqual({ deleted: true });
    expect(await store.remove(at("a"))).toEqual({ deleted: false });
    expect((await store.get(at("a"))).found).toBe(false);
  });

  test("expire, and an expired one is as if it were not there", async () => {
    const store = open();
    await store.set(at("a"), 5, 100);
    now += 99;
    expect((await store.get(at("a"))).found).toBe(true);
    now += 1;
    expect((await store.get(at("a"))).found).toBe(false);
    expect((await store.list("ada", { limit: 10 })).items).toEqual([]);
    expect(await store.increment(at("a"), 1, undefined)).toEqual({ value: 1 });
    expect((await store.read(at("a"))).expiresAt).toBeNull();
    await store.set(at("b"), 1, 10);
    now += 10;
    expect(await createStoreValues(db).removeExpired(now, 10)).toBe(1);
    expect((await createStoreValues(db).usage("ada")).count).toBe(1);
  });

  test("are listed by scope and key, page by page, without large ones", async () => {
    const store = open();
    for (const key of ["b", "a%", "a_", "😀x"]) await store.set(at(key), 1);
    await store.set(at("a", "workspace"), "x".repeat(20_000));
    const first = await store.list("ada", { limit: 3 });
    expect(first.items.map(({ key }) => key)).toEqual(["a%", "a_", "b"]);
    const rest = await store.list("ada", { limit: 3, cursor: first.nextCursor! });
    expect(rest.items.map(({ key, bytes, value }) => [key, bytes, value])).toEqual([
      ["😀x", 1, 1],
      ["a", 20_002, undefined],
    ]);
    expect(rest.nextCursor).toBeNull();
    const prefixed = await store.list("ada", { limit: 9, scope: "wf_1", prefix: "😀" });
    expect(prefixed.items.map(({ key }) => key)).toEqual(["😀x"]);
    expect((await store.list("ada", { limit: 9, prefix: "a%" })).items).toHaveLength(1);
    const scoped = await store.listScope("ada", "wf_1", { prefix: "", after: "a%", limit: 1 });
    expect(scoped).toMatchObject({ items: [{ key: "a_" }], nextCursor: "a_" });
  });
});

describe("writes", () => {
  test("no increment is lost between processes, and the expiry is that of the first", async () => {
    const [one, two] = [open(), open()];
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? one : two).increment(at("n"), 2, 500)),
    );
    expect(await one.get(at("n"))).toEqual({ found: true, value: 80 });
    now += 100;
    await one.increment(at("n"), 0.5, 500);
    expect(await one.read(at("n"))).toMatchObject({ value: 80.5, expiresAt: "1970-01-01T00:00:01.500Z" });
    await one.set(at("text"), "no number");
    await expect(one.increment(at("text"), 1, undefined)).rejects.toMatchObject({ code: "invalid_field" });
  });

  test("of several compare_and_set one wins", async () => {
    const [one, two] = [open(), open()];
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        (i % 2 === 0 ? one : two).compareAndSet(at("lock"), undefined, i, 1000),
      ),
    );
    expect(results.filter(({ swapped }) => swapped === true)).toHaveLength(1);
    const { value } = await one.get(at("lock"));
    expect(await one.compareAndSet(at("lock"), "other", 99, undefined)).toEqual({ swapped: false, value });
    expect(await one.compareAndSet(at("lock"), value, { holder: 1 }, undefined)).toMatchObject({
      swapped: true,
    });
    expect(await one.compareAndSet(at("lock"), { holder: 1 }, "free", undefined)).toMatchObject({
      swapped: true,
    });
  });

  test("a step writes once and gets the same result again, also when it runs twice at once", async () => {
    const [one, two] = [open(), open()];
    expect(await one.increment(at("n"), 1, undefined, step("a"))).toEqual({ value: 1 });
    await one.increment(at("n"), 10, undefined);
    expect(await two.increment(at("n"), 1, undefined, step("a"))).toEqual({ value: 1 });
    const twice = await Promise.all([
      one.increment(at("n"), 1, undefined, step("b")),
      two.increment(at("n"), 1, undefined, step("b")),
    ]);
    expect(twice).toEqual([{ value: 12 }, { value: 12 }]);
    expect(await one.compareAndSet(at("n"), 12, 0, undefined, step("c"))).toMatchObject({ swapped: true });
    expect(await two.compareAndSet(at("n"), 12, 0, undefined, step("c"))).toMatchObject({ swapped: true });
    expect(await one.remove(at("n"), step("d"))).toEqual({ deleted: true });
    expect(await two.remove(at("n"), step("d"))).toEqual({ deleted: true });
  });

  test("receipts are deleted with their task", async () => {
    await open().increment(at("n"), 1, undefined, step("a"));
    const receipts = async () => (await db.query("select id from store_receipt")).length;
    expect(await receipts()).toBe(1);
    await db.batch([{ sql: "delete from task where id = 'task_1'" }]);
    expect(await receipts()).toBe(0);
  });
});

test("the values of an owner are limited in number, bytes and size", async () => {
  const store = open(limitsOf({ store_values: 2, store_bytes: 40, store_value_bytes: 30 }));
  await store.set(at("a"), 1);
  await store.set(at("b"), 1);
  const limitOf = (setting: string) => ({ code: "limit_reached", details: { limit: setting } });
  await expect(store.set(at("c"), 1)).rejects.toMatchObject(limitOf("STORE_VALUES_PER_OWNER"));
  await expect(store.set(at("a"), "x".repeat(29))).rejects.toMatchObject(limitOf("MAX_STORE_VALUE_BYTES"));
  await store.set(at("a"), "x".repeat(28));
  await expect(store.set(at("b"), "x".repeat(20))).rejects.toMatchObject(limitOf("STORE_BYTES_PER_OWNER"));
  await store.set(at("a"), 1);
  await store.set(at("b"), "x".repeat(20));
  expect((await store.list("ben", { limit: 5 })).items).toEqual([]);
});

test("values of a deleted workflow can be read and deleted, but not created", async () => {
  const store = open();
  await store.set(at("a", "wf_gone"), 1);
  expect((await store.read(at("a", "wf_gone"))).value).toBe(1);
  await store.delete(at("a", "wf_gone"));
  await expect(store.put(at("a", "wf_gone"), { value: 1 })).rejects.toMatchObject({
    code: "workflow_not_found",
  });
  await expect(store.delete(at("a"))).rejects.toMatchObject({ code: "store_value_not_found" });
});
