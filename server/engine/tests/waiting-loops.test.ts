import { expect, test } from "vitest";
import type { Graph } from "../../../contract/graph.ts";
import type { EngineStore } from "../store.ts";
import type { Db, Row } from "../../storage/db.ts";
import { createEngineStore } from "../../storage/engine/engine-store.ts";
import { openBench } from "../testing/open-engine.ts";

const ROUNDS = 240;
const items = Array.from({ length: ROUNDS }, (_, id) => ({ id }));
/** Each round waits so long that all ten of a batch wait at the same time, and the task parks. */
const loop: Graph = {
  steps: [
    {
      stepId: "each",
      type: "foreach",
      items: "{{input.items}}",
      concurrency: 10,
      steps: [
        { stepId: "pause", type: "delay", seconds: 0.25 },
        { stepId: "work", type: "http", method: "GET", url: "{{item.id}}" },
      ],
    },
  ],
  edges: [],
};

async function open() {
  const runs: number[] = [];
  const bench = await openBench({
    http: ({ fields }) => {
      runs.push(Number(fields["url"]));
      return Promise.resolve({ output: Number(fields["url"]) });
    },
  });
  const workflow = bench.workflow("wf_1", loop);
  let entriesRead = 0;
  let resumes = 0;
  const counting: EngineStore = {
    ...bench.store,
    async heads(...call) {
      const heads = await bench.store.heads(...call);
      entriesRead += heads.length;
      resumes += 1;
      return heads;
    },
  };
  return {
    ...bench,
    runs,
    counting,
    read: () => ({ entriesRead, resumes }),
    start: { workflow, trigger: "manual" as const, input: { items } },
    status: async (id: string) => (await bench.store.task(id))?.status,
  };
}

const inOrder = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);
const all = items.map(({ id }) => id);

test("a loop whose rounds wait resumes without reading the journal of its completed rounds", async () => {
  const { engine, runs, counting, read, start, status, store } = await open();
  const one = await engine({ store: counting });
  const { taskId } = await one.start(start);
  await expect.poll(() => status(taskId), { timeout: 100_000 }).toBe("completed");
  expect(inOrder(runs)).toEqual(all);
  expect((await store.task(taskId))?.result?.output).toEqual(all);
  const { entriesRead, resumes } = read();
  expect(resumes).toBeGreaterThan(2);
  expect(entriesRead).toBe(0);
  await one.close();
});

test("a loop over a large input reads it once, however often it parks, and its row does not hold it", async () => {
  const { engine, db, runs, start } = await open();
  const large = { items: items.map(({ id }) => ({ id, text: "x".repeat(1000) })) };
  let claims = 0;
  let largeTexts = 0;
  const counted = (rows: readonly Row[]): void => {
    for (const value of rows.flatMap((row) => Object.values(row)))
      if (typeof value === "string" && value.length > 100_000) largeTexts += 1;
  };
  const counting: Db = {
    ...db,
    async query<T extends Row>(...call: Parameters<Db["query"]>) {
      const rows = await db.query<T>(...call);
      counted(rows);
      return rows;
    },
    async batch(...call) {
      const results = await db.batch(...call);
      counted(results.flat());
      return results;
    },
  };
  const store = createEngineStore(counting);
  const one = await engine({
    store: {
      ...store,
      async claimDue(...call) {
        const tasks = await store.claimDue(...call);
        claims += tasks.length;
        return tasks;
      },
    },
  });
  const { taskId } = await one.start({ ...start, input: large });
  const row = async () =>
    (await db.query("select status, length(input) as size from task where id = $taskId", { taskId }))[0];
  await expect.poll(async () => (await row())?.["status"], { timeout: 100_000 }).toBe("completed");
  expect(inOrder(runs)).toEqual(all);
  expect(claims).toBeGreaterThan(2);
  expect(largeTexts).toBe(1);
  expect(Number((await row())?.["size"])).toBe(0);
  expect((await store.task(taskId))?.input).toEqual(large);
  await one.close();
});

test("a loop that two processes resume in turn runs each round once", async () => {
  const { engine, runs, counting, read, start, status, store } = await open();
  let turn = 0;
  /** Claims only in its turn, which ends with a claim. */
  const inTurn = (number: number): EngineStore => ({
    ...counting,
    async claimDue(...call) {
      if (turn % 2 !== number) return [];
      const tasks = await counting.claimDue(...call);
      turn += tasks.length;
      return tasks;
    },
  });
  const [first, second] = [await engine({ store: inTurn(0) }), await engine({ store: inTurn(1) })];
  const { taskId } = await first.start(start);
  await expect
    .poll(
      () => {
        for (const each of [first, second]) each.nudge(taskId, "task");
        return status(taskId);
      },
      { timeout: 100_000, interval: 5 },
    )
    .toBe("completed");
  expect(turn).toBeGreaterThan(2);
  expect(inOrder(runs)).toEqual(all);
  expect((await store.task(taskId))?.result?.output).toEqual(all);
  // The process that continues reads what the other one has recorded.
  expect(read().entriesRead).toBeGreaterThan(0);
  await first.close();
  await second.close();
});

test("a loop whose process ends continues in the next one and repeats no completed round", async () => {
  const { engine, runs, start, status, store } = await open();
  const first = await engine();
  const { taskId } = await first.start(start);
  await expect.poll(() => runs.length, { timeout: 100_000, interval: 1 }).toBeGreaterThan(ROUNDS / 3);
  await first.close();
  await engine();
  await expect.poll(() => status(taskId), { timeout: 100_000 }).toBe("completed");
  expect((await store.task(taskId))?.result?.output).toEqual(all);
  // Rounds that were in flight when the process ended may run again.
  expect(runs.length).toBeLessThanOrEqual(ROUNDS + 10);
});
