import { expect, onTestFinished, test } from "vitest";
import { openTestDb } from "../../test/support/open-db.ts";
import type { StartTask } from "../engine/engine-api.ts";
import { systemClock } from "../lib/clock.ts";
import { AppError, unavailable } from "../lib/errors.ts";
import { dropIdempotencyKeys } from "../retention/task-retention.sql.ts";
import type { CurrentWorkflow } from "../workflows/runnable-workflow.sql.ts";
import type { TriggerSource } from "./source.ts";
import { CLAIM_MS, createTriggerClaims, type TriggerClaims } from "./trigger-claims.sql.ts";
import { createTriggerLoop } from "./trigger-loop.ts";
import { createTriggerStore } from "./trigger.sql.ts";
import { insertOwners, insertTrigger, listSource } from "./testing/trigger-samples.ts";

const WORKFLOW = { id: "wf_1", ownerId: "user_1", isActive: true } as CurrentWorkflow;
const keyOf = ({ idempotency }: StartTask) => `${idempotency!.scope} ${idempotency!.key}`;

async function open() {
  const { db, close } = await openTestDb();
  onTestFinished(close);
  await insertOwners(db);
  const time = { now: 1_000_000 };
  const clock = { ...systemClock, now: () => time.now };
  const claims = createTriggerClaims(db);
  const errors: unknown[] = [];
  const started: string[] = [];

  /** One process: claims what is due, ends its checks and stops. */
  async function poll({
    source = listSource([]),
    start = () => Promise.resolve(),
    broken = {},
    workflow = WORKFLOW,
    isDeleted = false,
  }: {
    source?: TriggerSource<"rss">;
    start?: (request: StartTask) => Promise<unknown>;
    broken?: Partial<TriggerClaims>;
    workflow?: CurrentWorkflow;
    isDeleted?: boolean;
  }): Promise<void> {
    let ended = 0;
    let claimed = 0;
    let done: () => void = () => undefined;
    const allEnded = new Promise<void>((resolve) => (done = resolve));
    const count =
      <T extends unknown[]>(work: (...args: T) => Promise<void>) =>
      async (...args: T) => {
        await work(...args).finally(() => (ended += 1));
        if (ended === claimed) done();
      };
    const watched: TriggerClaims = {
      ...claims,
      ...broken,
      finish: count(broken.finish ?? claims.finish),
      release: count(claims.release),
      released: count(claims.released),
      async claim(...args) {
        if (claimed > 0) return [];
        const found = await claims.claim(...args);
        claimed = found.length;
        if (claimed === 0) done();
        return found;
      },
    };
    const loop = createTriggerLoop({
      claims: watched,
      sourceOf: () => source as never,
      engine: {
        async start(request) {
          await start(request);
          started.push(keyOf(request));
          return { taskId: `task_${keyOf(request)}`, status: "queued", existing: false };
        },
      },
      currentWorkflow: () => Promise.resolve(isDeleted ? undefined : workflow),
      clock,
      checksPerOwner: 4,
      onError: (error) => {
        errors.push(error);
        done();
      },
    });
    loop.poll();
    await allEnded;
    await loop.close();
  }
  const rows = () => db.query("select item_key, task_id from trigger_item order by id");
  const get = (id: string) => createTriggerStore(db).get(id, "user_1");
  return { db, time, poll, claims, errors, started, rows, get };
}

test("each item starts one run, and the next check comes after the interval", async () => {
  const { db, time, poll, started, get } = await open();
  await insertTrigger(db, "trg_1");
  await poll({ source: listSource(["a", "b"]) });
  expect(started).toEqual(["trigger:trg_1 a", "trigger:trg_1 b"]);
  expect(await get("trg_1")).toMatchObject({
    nextCheckAt: time.now + 60_000,
    lastCheckAt: time.now,
    failures: 0,
  });
  await poll({ source: listSource(["a", "b"]) });
  time.now += 60_000;
  await poll({ source: listSource(["a", "b", "c"]) });
  expect(started).toEqual(["trigger:trg_1 a", "trigger:trg_1 b", "trigger:trg_1 c"]);
});

test("[R5] a process that dies after the poll and before the record loses no item", async () => {
  const { db, time, poll, started } = await open();
  await insertTrigger(db, "trg_1");
  const killed = () => Promise.reject(new Error("killed"));
  await poll({ source: listSource(["a"]), broken: { record: killed, finish: killed } });
  expect(started).toEqual([]);
  time.now += CLAIM_MS;
  await poll({ source: listSource(["a"]) });
  expect(started).toEqual(["trigger:trg_1 a"]);
});

test("[R5] a process that dies after the record and before the start leaves the item to the next one", async () => {
  const { db, time, poll, started } = await open();
  await insertTrigger(db, "trg_1");
  const killed = () => Promise.reject(new Error("killed"));
  await poll({ source: listSource(["a"]), start: killed, broken: { finish: killed } });
  time.now += CLAIM_MS;
  // The source no longer has it: the item itself was stored.
  await poll({ source: listSource([]) });
  expect(started).toEqual(["trigger:trg_1 a"]);
});

test("[R5] a process that dies between the start and its record starts the item with the same key", async () => {
  const { db, time, poll, started, rows } = await open();
  await insertTrigger(db, "trg_1");
  const killed = () => Promise.reject(new Error("killed"));
  await poll({ source: listSource(["a"]), broken: { started: killed, finish: killed } });
  time.now += CLAIM_MS;
  await poll({ source: listSource(["a"]) });
  // The engine makes one task of both.
  expect(started).toEqual(["trigger:trg_1 a", "trigger:trg_1 a"]);
  expect(await rows()).toEqual([{ item_key: "a", task_id: "task_trigger:trg_1 a" }]);
});

test("[R5] a slow process whose claim was taken over stores nothing", async () => {
  const { db, time, poll, claims, rows, get } = await open();
  await insertTrigger(db, "trg_1");
  const [slow] = await claims.claim(time.now, { limit: 9, perOwner: 0 });
  time.now += CLAIM_MS;
  await poll({ source: listSource(["a"]) });
  const items = [{ key: "late", title: "late", input: {} }];
  expect(await claims.record(slow!, { items, position: "9", now: time.now })).toBe(false);
  await claims.finish(slow!, { now: time.now, next: null, failures: 0, error: null });
  expect(await rows()).toMatchObject([{ item_key: "a" }]);
  expect(await get("trg_1")).toMatchObject({ position: "1", active: true });
});

test("a failed check shows its error and backs off; the next success clears both", async () => {
  const { db, time, poll, get } = await open();
  await insertTrigger(db, "trg_1");
  const down = { ...listSource([]), check: () => Promise.reject(new AppError("http_error", "Status 500.")) };
  for (const minutes of [2, 4, 8]) {
    await poll({ source: down });
    const trigger = await get("trg_1");
    expect(trigger.lastError).toEqual({ at: time.now, code: "http_error", message: "Status 500." });
    expect(trigger.nextCheckAt).toBe(time.now + minutes * 60_000);
    time.now = trigger.nextCheckAt!;
  }
  await poll({ source: listSource(["a"]) });
  expect(await get("trg_1")).toMatchObject({ failures: 0, lastError: null, nextCheckAt: time.now + 60_000 });
});

test("an item that cannot start now is started by the next check", async () => {
  const { db, time, poll, started, get } = await open();
  await insertTrigger(db, "trg_1");
  await poll({
    source: listSource(["a"]),
    start: () => Promise.reject(new AppError("limit_reached", "Full.")),
  });
  const { nextCheckAt, lastError } = await get("trg_1");
  expect(lastError).toMatchObject({ code: "limit_reached" });
  time.now = nextCheckAt!;
  await poll({ source: listSource(["a"]) });
  expect(started).toEqual(["trigger:trg_1 a"]);
});

test("a paused workflow is not checked, and what arrived meanwhile starts after it is resumed", async () => {
  const { db, time, poll, started, get } = await open();
  await insertTrigger(db, "trg_1");
  await poll({ source: listSource(["a"]), workflow: { ...WORKFLOW, isActive: false } });
  expect([started, await get("trg_1")]).toMatchObject([
    [],
    { lastError: { code: "workflow_paused" }, failures: 0, nextCheckAt: time.now + 60_000, active: true },
  ]);
  time.now += 60_000;
  await poll({ source: listSource(["a"]) });
  expect(started).toHaveLength(1);
});

test("a disabled account is no failure of the source", async () => {
  const { db, time, poll, get } = await open();
  await insertTrigger(db, "trg_1");
  const start = () => Promise.reject(new AppError("account_disabled", "Disabled."));
  await poll({ source: listSource(["a"]), start });
  expect(await get("trg_1")).toMatchObject({
    lastError: { code: "account_disabled" },
    failures: 0,
    nextCheckAt: time.now + 60_000,
  });
});

test("a service that stops leaves the trigger due at once, and nothing is reported", async () => {
  const { db, poll, errors, get, time, claims } = await open();
  await insertTrigger(db, "trg_1");
  await poll({ source: listSource(["a"]), start: () => Promise.reject(unavailable("Stopping.")) });
  expect([errors, (await get("trg_1")).lastError]).toEqual([[], null]);
  expect(await claims.claim(time.now, { limit: 9, perOwner: 0 })).toHaveLength(1);
});

test("the trigger of a deleted workflow is paused", async () => {
  const { db, poll, get } = await open();
  await insertTrigger(db, "trg_1");
  await poll({ source: listSource(["a"]), isDeleted: true });
  expect(await get("trg_1")).toMatchObject({ active: false, nextCheckAt: null });
});

test("an owner has a few checks at once, and the trigger of another one is claimed with them", async () => {
  const { db, claims, time } = await open();
  for (let n = 0; n < 5; n += 1) await insertTrigger(db, `trg_${n}`);
  await insertTrigger(db, "trg_other", { ownerId: "user_2", workflowId: "wf_2", nextCheckAt: 5 });
  const ids = async () =>
    (await claims.claim(time.now, { limit: 9, perOwner: 2 })).map(({ id }) => id).toSorted();
  expect(await ids()).toEqual(["trg_0", "trg_1", "trg_other"]);
  expect(await ids()).toEqual([]);
});

test("[R5] processes on one database check each trigger once and store each item once", async () => {
  const { db, claims, time, rows } = await open();
  for (let n = 0; n < 20; n += 1) await insertTrigger(db, `trg_${n}`);
  const claimed = await Promise.all(
    Array.from({ length: 4 }, () => claims.claim(time.now, { limit: 20, perOwner: 0 })),
  );
  const all = claimed.flat();
  // A process may skip rows that another one has locked, and takes them at the next poll.
  all.push(...(await claims.claim(time.now, { limit: 20, perOwner: 0 })));
  expect(all.map(({ id }) => id).toSorted()).toEqual([...new Set(all.map(({ id }) => id))].toSorted());
  expect(all).toHaveLength(20);
  const items = [{ key: "a", title: "a", input: {} }];
  const record = (trigger: (typeof all)[number]) =>
    claims.record(trigger, { items, position: "1", now: time.now });
  await Promise.all([...all, ...all].map(record));
  expect(await rows()).toHaveLength(20);
});

test("a source that always has more is checked five times at once, then it pauses", async () => {
  const { db, claims, time } = await open();
  await insertTrigger(db, "trg_1", {
    settings: { url: "https://feed.example/", intervalSeconds: 3600, startWith: "all" },
  });
  const nexts: (number | null)[] = [];
  let resolve: () => void = () => undefined;
  const ended = new Promise<void>((done) => (resolve = done));
  const loop = createTriggerLoop({
    claims: {
      ...claims,
      async finish(trigger, result) {
        nexts.push(result.next! - time.now);
        if (nexts.length === 5) time.now += 60_000;
        await claims.finish(trigger, result);
        if (nexts.length === 6) resolve();
      },
    },
    sourceOf: () =>
      ({
        ...listSource([]),
        check: () => Promise.resolve({ items: [], position: "1", hasMore: true }),
      }) as never,
    engine: { start: () => Promise.reject(new Error("nothing to start")) },
    currentWorkflow: () => Promise.resolve(WORKFLOW),
    clock: { ...systemClock, now: () => time.now },
    checksPerOwner: 4,
    onError: () => undefined,
  });
  loop.poll();
  await ended;
  await loop.close();
  expect(nexts.slice(0, 6)).toEqual([0, 0, 0, 0, 60_000, 0]);
});

test("[R5] an item whose run has started is not started again, however old the key of the run is", async () => {
  const { db, time, poll, started, rows } = await open();
  await insertTrigger(db, "trg_1");
  const killed = () => Promise.reject(new Error("killed"));
  await poll({ source: listSource(["a"]), broken: { started: killed, finish: killed } });
  await db.batch([
    {
      sql: `insert into idempotency (scope, key, body_hash, task_id, created_at) values ('trigger:trg_1', 'a', '', 'task_first', 1)`,
    },
  ]);
  time.now += 2 * 24 * 3600 * 1000;
  expect(await dropIdempotencyKeys(db, time.now, 10)).toBe(0);
  await poll({ source: listSource(["a"]) });
  expect(await dropIdempotencyKeys(db, time.now, 10)).toBe(1);
  expect(started).toEqual(["trigger:trg_1 a"]);
  expect(await rows()).toEqual([{ item_key: "a", task_id: "task_first" }]);
});

test("a vendor that asks for a longer pause gets a day at most", async () => {
  const { db, time, poll, get } = await open();
  await insertTrigger(db, "trg_1");
  const busy = new AppError("http_error", "Busy.", { retryAfterMs: 10 * 365 * 86_400_000 });
  await poll({ source: { ...listSource([]), check: () => Promise.reject(busy) } });
  expect((await get("trg_1")).nextCheckAt).toBe(time.now + 86_400_000);
});

test("deleted triggers that still hold a subscription count up to twice the limit", async () => {
  const { db } = await open();
  const store = createTriggerStore(db);
  await insertTrigger(db, "trg_0");
  const record = await store.get("trg_0", "user_1");
  await store.remove("trg_0", "user_1", 1);
  const create = (id: string) => store.insert({ ...record, id }, 2);
  const removeHeld = async (id: string) => {
    await db.batch([
      { sql: `update triggers set position = '{"subscription":null}' where id = $id`, params: { id } },
    ]);
    await store.remove(id, "user_1", 1);
  };
  for (const id of ["trg_1", "trg_2", "trg_3", "trg_4"]) {
    expect(await create(id)).toBe(true);
    await removeHeld(id);
  }
  expect([await create("trg_5"), await store.count("user_1")]).toEqual([false, 0]);
  await db.batch([{ sql: "delete from triggers where id = 'trg_1'" }]);
  expect(await create("trg_5")).toBe(true);
});
