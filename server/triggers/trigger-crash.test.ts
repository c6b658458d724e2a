import { expect, test } from "vitest";
import type { Graph } from "../../contract/graph.ts";
import type { CrashPoint } from "../engine/testing/crash-point.ts";
import { crashingDb } from "../engine/testing/crashing-db.ts";
import { openBench } from "../engine/testing/open-engine.ts";
import { systemClock } from "../lib/clock.ts";
import { limitsOf } from "../limits/testing/limits-of.ts";
import type { Egress } from "../security/egress.ts";
import { createStoreRunner } from "../steps/store.ts";
import { createEngineStore } from "../storage/engine/engine-store.ts";
import { createStoreValues } from "../store/store.sql.ts";
import { createKeyValueStore } from "../store/key-value-store.ts";
import type { CurrentWorkflow } from "../workflows/runnable-workflow.sql.ts";
import { createRssSource } from "./rss/rss-source.ts";
import { insertOwners, insertTrigger } from "./testing/trigger-samples.ts";
import { CLAIM_MS, createTriggerClaims } from "./trigger-claims.sql.ts";
import { createTriggerLoop } from "./trigger-loop.ts";

const ITEMS = ["first", "second"];
const FEED = `<rss version="2.0"><channel><title>News</title>${ITEMS.toReversed()
  .map((id) => `<item><guid>${id}</guid><title>${id}</title></item>`)
  .join("")}</channel></rss>`;

/** Sends the feed once to each client that stores its ETag: an item that is not stored together with it is lost. */
const egress = {
  fetch: (url: string, { headers = {} }: { headers?: Record<string, string> }) =>
    Promise.resolve({
      status: headers["if-none-match"] === "v1" ? 304 : 200,
      headers: { etag: "v1" },
      body: Buffer.from(FEED),
      url,
    }),
} as unknown as Egress;

/** Counts the items of one trigger. */
const counting = (counter: string): Graph => ({
  steps: [{ stepId: "count", type: "store", action: "increment", scope: "workspace", key: counter }],
  edges: [],
});

test("[R5] a process that crashes at any write starts each item of a feed once, and each run increments once", async () => {
  const bench = await openBench();
  const { db } = bench;
  await insertOwners(db);
  let processes = 0;

  async function isDone(triggerId: string): Promise<boolean> {
    const [open] = await db.query(
      `select (select count(*) from task where status <> 'completed')
         + (select count(*) from triggers where id = $triggerId and (last_check_at is null or claim is not null)) as n`,
      { triggerId },
    );
    return Number(open?.["n"]) === 0;
  }

  /** A process that starts after the claims of the crashed ones have expired. False when it crashes. */
  function live(triggerId: string, workflow: CurrentWorkflow, point: CrashPoint): Promise<boolean> {
    const aheadMs = ++processes * 2 * CLAIM_MS;
    const clock = { ...systemClock, now: () => Date.now() + aheadMs };
    let crashed = false;
    let own = db;
    const crash = new Promise<false>((resolve) => {
      own = crashingDb(db, point, () => {
        crashed = true;
        resolve(false);
      });
    });
    const store = createKeyValueStore({
      values: createStoreValues(own),
      clock,
      limits: limitsOf(),
      requireScope: () => Promise.resolve(),
    });
    async function workUntilDone(): Promise<true> {
      const engine = await bench.engine({
        store: createEngineStore(own),
        runners: new Map([["store", createStoreRunner(store)]]),
        clock,
      });
      const loop = createTriggerLoop({
        claims: createTriggerClaims(own),
        sourceOf: () => createRssSource(egress) as never,
        engine,
        currentWorkflow: () => Promise.resolve(workflow),
        clock,
        checksPerOwner: 0,
        onError: (error) => expect.unreachable(String(error)),
      });
      loop.poll();
      await expect
        .poll(async () => crashed || (await isDone(triggerId)), { timeout: 60_000, interval: 2 })
        .toBe(true);
      await loop.close();
      await engine.close();
      return true;
    }
    return Promise.race([workUntilDone(), crash]);
  }

  /** False when the process ended before the point. */
  async function crashAt(point: CrashPoint, n: number): Promise<boolean> {
    const triggerId = `trg_${n}`;
    const counter = `items ${n}`;
    const workflow = { ...bench.workflow("wf_1", counting(counter)), isActive: true } as CurrentWorkflow;
    await insertTrigger(db, triggerId);
    const isCalm = await live(triggerId, workflow, point);
    if (!isCalm) await live(triggerId, workflow, { write: Infinity, stored: true });
    const runs = await db.query(
      `select task.input, task.result from trigger_item join task on task.id = trigger_item.task_id
       where trigger_id = $triggerId order by trigger_item.id`,
      { triggerId },
    );
    const at = JSON.stringify(point);
    expect(
      runs.map(({ input }) => (JSON.parse(input as string) as { title: string }).title),
      at,
    ).toEqual(ITEMS);
    expect(
      runs
        .map(({ result }) => (JSON.parse(result as string) as { output: { value: number } }).output.value)
        .toSorted(),
      at,
    ).toEqual([1, 2]);
    expect(await db.query("select value from store_value where key = $counter", { counter }), at).toEqual([
      { value: "2" },
    ]);
    const [tasks] = await db.query("select count(*) as n from task");
    expect(Number(tasks?.["n"]), at).toBe(n * ITEMS.length);
    await db.batch([{ sql: "update triggers set next_check_at = null" }]);
    return !isCalm;
  }

  let write = 0;
  for (let n = 1; ; write += 1) {
    if (!(await crashAt({ write, stored: false }, n++))) break;
    await crashAt({ write, stored: true }, n++);
  }
  // The claim, the record of the items, two starts and their record, two increments, two results, the end of the claim.
  expect(write).toBeGreaterThanOrEqual(9);
});
