import { afterEach, beforeEach, expect, test } from "vitest";
import { insertAccounts, isPostgres, openTestDb } from "../../test/support/open-db.ts";
import type { Db } from "../storage/db.ts";
import { type AuditStore, createAuditStore } from "./audit-event.sql.ts";
import { createAuditLog } from "./audit-log.ts";
import { canonicalJson, hashOf, INSTANCE_CHAIN, type NewEvent } from "./chain.ts";
import { verifyChain } from "./verify.ts";

const CHAIN = "ada";
let db: Db;
let close: () => Promise<void>;
let store: AuditStore;
beforeEach(async () => {
  ({ db, close } = await openTestDb());
  await insertAccounts(db, [CHAIN]);
  store = createAuditStore(db);
});
afterEach(() => close());

function event(number: number, fields: Partial<NewEvent> = {}): NewEvent {
  return {
    at: number,
    stage: "result",
    actionId: `act_${number}`,
    action: "putVariable",
    outcome: "succeeded",
    status: 200,
    error: null,
    actorKind: "user",
    actorId: "ada",
    actorName: "Ada",
    keyId: null,
    targetKind: "variable",
    targetId: `v${number}`,
    targetName: `v${number}`,
    address: "127.0.0.1",
    userAgent: 'Ünï "agent"',
    requestId: "req_1",
    before: null,
    after: canonicalJson({ value: number }),
    ...fields,
  };
}

async function fill(count: number): Promise<void> {
  const { append } = createAuditLog({ store });
  for (let number = 1; number <= count; number++) await append(CHAIN, event(number));
}

const all = (chain = CHAIN) => store.listAfter(chain, {}, { after: 0, limit: 1000 });
const run = (sql: string) => db.batch([{ sql }]);

/** As somebody would who can change the tables. */
async function withoutTriggers(sql: string): Promise<void> {
  if (isPostgres) {
    await run("alter table audit_event disable trigger all");
    await run(sql);
    await run("alter table audit_event enable trigger all");
    return;
  }
  const triggers = await db.query("select name, sql from sqlite_master where type = 'trigger'");
  for (const { name } of triggers) await run(`drop trigger ${String(name)}`);
  await run(sql);
  for (const trigger of triggers) await run(String(trigger["sql"]));
}

test("fifty appends at once, from two processes, leave one unbroken chain with every event once", async () => {
  const logs = [createAuditLog({ store }), createAuditLog({ store: createAuditStore(db) })];
  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      await new Promise((resolve) => setImmediate(resolve));
      await logs[index % 2]!.append(CHAIN, event(index));
    }),
  );
  const events = await all();
  expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  expect(new Set(events.map(({ actionId }) => actionId)).size).toBe(50);
  expect(await verifyChain(store, CHAIN)).toMatchObject({ valid: true, events: 50, lastSequence: 50 });
});

test("appends of different chains do not mix", async () => {
  const { append } = createAuditLog({ store });
  await Promise.all([append(CHAIN, event(1)), append(INSTANCE_CHAIN, event(2)), append(CHAIN, event(3))]);
  expect((await all()).map(({ targetId }) => targetId)).toEqual(["v1", "v3"]);
  expect((await all(INSTANCE_CHAIN)).map(({ sequence, targetId }) => [sequence, targetId])).toEqual([
    [1, "v2"],
  ]);
  expect(await store.listChains()).toEqual([CHAIN, INSTANCE_CHAIN]);
});

test("the database refuses to change or delete an event", async () => {
  await fill(2);
  await expect(run("update audit_event set actor_id = 'eve' where sequence = 1")).rejects.toThrow(
    /append-only/,
  );
  await expect(run("delete from audit_event where sequence = 1")).rejects.toThrow(/append-only/);
  expect(await verifyChain(store, CHAIN)).toMatchObject({ valid: true, events: 2 });
});

test.for([
  ["a changed actor", "update audit_event set actor_id = 'eve' where sequence = 3", 3],
  ["a changed time", "update audit_event set at = at + 1 where sequence = 2", 2],
  ["a changed state", `update audit_event set state_after = '{"value":9}' where sequence = 4`, 4],
  ["a removed address", "update audit_event set address = null where sequence = 1", 1],
  ["a deleted event", "delete from audit_event where sequence = 3", 3],
  ["a deleted first event", "delete from audit_event where sequence = 1", 1],
  ["a deleted last event", "delete from audit_event where sequence = 5", 5],
  ["a forged hash", "update audit_event set hash = previous_hash where sequence = 2", 2],
  ["another end of the chain", "update audit_chain set hash = anchor_hash", 5],
  ["a deleted end of the chain", "delete from audit_chain", 1],
  ["events of another order", "update audit_event set sequence = 10 - sequence where sequence in (2, 5)", 2],
] as const)("the verification names the first broken event: %s", async ([, sql, sequence]) => {
  await fill(5);
  await withoutTriggers(sql);
  expect(await verifyChain(store, CHAIN)).toMatchObject({ valid: false, problem: { sequence } });
});

test("an event whose hash was computed again breaks the next one", async () => {
  await fill(3);
  const { previousHash, hash: _hash, ...second } = (await all())[1]!;
  const forged = hashOf(CHAIN, { ...second, actorId: "eve" }, previousHash);
  await withoutTriggers(`update audit_event set actor_id = 'eve', hash = '${forged}' where sequence = 2`);
  expect((await verifyChain(store, CHAIN)).problem?.sequence).toBe(3);
});

test("the retention deletes the oldest events in small steps, and the rest stays verifiable", async () => {
  await fill(9);
  expect(await store.listExpired(0)).toEqual([]);
  expect(await store.listExpired(6)).toEqual([CHAIN]);
  expect([
    await store.prune(CHAIN, 6, 4),
    await store.prune(CHAIN, 6, 4),
    await store.prune(CHAIN, 6, 4),
  ]).toEqual([4, 2, 0]);
  expect((await all()).map(({ sequence }) => sequence)).toEqual([7, 8, 9]);
  expect(await verifyChain(store, CHAIN)).toMatchObject({
    valid: true,
    events: 3,
    firstSequence: 7,
    lastSequence: 9,
  });
  await createAuditLog({ store }).append(CHAIN, event(10));
  expect(await verifyChain(store, CHAIN)).toMatchObject({ valid: true, events: 4, lastSequence: 10 });
  await store.prune(CHAIN, 100, 100);
  expect(await all()).toEqual([]);
  expect(await verifyChain(store, CHAIN)).toMatchObject({ valid: true, events: 0, lastSequence: 10 });
  await createAuditLog({ store }).append(CHAIN, event(11));
  expect(await verifyChain(store, CHAIN)).toMatchObject({ valid: true, events: 1, firstSequence: 11 });
});

test("an older event behind a newer one waits for it", async () => {
  const { append } = createAuditLog({ store });
  for (const at of [1, 9, 2]) await append(CHAIN, event(at));
  expect(await store.prune(CHAIN, 5, 100)).toBe(1);
  expect((await all()).map(({ at }) => at)).toEqual([9, 2]);
  expect((await verifyChain(store, CHAIN)).valid).toBe(true);
});

test("the chain of a deleted workspace is erased; what still arrives is recorded for the instance", async () => {
  await fill(3);
  await run(`insert into account_deletion (owner_id, requested_at, claimed_until) values ('${CHAIN}', 1, 0)`);
  expect(await store.eraseSome(CHAIN, 2)).toBe(2);
  expect(await store.eraseSome(CHAIN, 2)).toBe(1);
  await store.eraseHead(CHAIN);
  await createAuditLog({ store }).append(CHAIN, event(4));
  expect(await all()).toEqual([]);
  expect(await all(INSTANCE_CHAIN)).toHaveLength(1);
});

test("a failed write rejects its events, and the chain continues with the next ones", async () => {
  const { append } = createAuditLog({ store });
  await append(CHAIN, event(1));
  await expect(append(CHAIN, event(2, { action: null as never }))).rejects.toThrow();
  await append(CHAIN, event(3));
  expect((await all()).map(({ targetId }) => targetId)).toEqual(["v1", "v3"]);
  expect((await verifyChain(store, CHAIN)).valid).toBe(true);
});

test("a filter by name or key reads an index for each of them", async () => {
  await fill(3);
  const plans: string[] = [];
  const explained = createAuditStore({
    ...db,
    async query(sql, params) {
      plans.push(await planOf(sql, params));
      return db.query(sql, params);
    },
  });
  const find = async (filter: { actor?: string; target?: string }) => {
    const { items } = await explained.list(CHAIN, filter, { limit: 5, before: undefined });
    return items.map(({ sequence }) => sequence);
  };
  const exported = async (filter: { actor?: string; target?: string }) =>
    (await explained.listAfter(CHAIN, filter, { after: 0, limit: 5 })).map(({ sequence }) => sequence);
  for (const [read, ofAda] of [
    [find, [3, 2, 1]],
    [exported, [1, 2, 3]],
  ] as const) {
    plans.length = 0;
    expect(await read({ actor: "ADA" })).toEqual(ofAda);
    expect(await read({ target: "V2" })).toEqual([2]);
    expect(await read({ actor: "ada", target: "V2" })).toEqual([2]);
    for (const index of ["actor", "key", "actor_name", "target", "target_name"])
      expect(plans.join("\n")).toMatch(new RegExp(`audit_event_by_${index}\\b`));
  }
});

async function planOf(sql: string, params: Parameters<Db["query"]>[1]): Promise<string> {
  if (!isPostgres) {
    const rows = await db.query(`explain query plan ${sql}`, params);
    return rows.map((row) => row["detail"]).join("\n");
  }
  // PostgreSQL would read a table this small as a whole.
  const [, , rows = []] = await db.batch([
    { sql: "set local enable_seqscan = off" },
    { sql: "set local enable_bitmapscan = off" },
    { sql: `explain ${sql}`, ...(params && { params }) },
  ]);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}
