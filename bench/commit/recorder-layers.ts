import { createRecorder } from "../../server/engine/journal/recorder.ts";
import { retryWhileStorageUnavailable } from "../../server/engine/journal/retry-while-storage-unavailable.ts";
import { LazyAbortController } from "../../server/lib/abort-source.ts";
import type { EngineStore } from "../../server/engine/store.ts";
import { statusEntry, stepEntry } from "../../server/engine/testing/entry-samples.ts";
import { ending, newTask } from "../../server/engine/testing/store-samples.ts";
import { createBatcher } from "../../server/lib/batcher.ts";
import { quantile } from "../statistics.ts";

const RUNS_AT_ONCE = 50;
const RUNS = 600;
const CALLS = 100_000;

/** The layers inside one run: buffered entries, one write at a time, retries while the disk is full. */
export async function measureRecorder(store: EngineStore, passes: number): Promise<void> {
  console.log("\n| inside a run | CPU µs |\n|---|---|");
  const rows: [string, () => Promise<number>][] = [
    ["three pure steps, buffered", () => cpuUsOf(RUNS, () => recordRun(store, "buffer"), RUNS_AT_ONCE)],
    [
      "three pure steps, recorded one by one",
      () => cpuUsOf(RUNS, () => recordRun(store, "record"), RUNS_AT_ONCE),
    ],
    ["a write", () => cpuUsOf(CALLS, write)],
    ["a write, one at a time", () => cpuUsOf(CALLS, () => ordered.add(undefined))],
    [
      "a write, retried while the disk is full",
      () => cpuUsOf(CALLS, () => retryWhileStorageUnavailable(write)),
    ],
  ];
  const figures = rows.map((): number[] => []);
  for (let pass = -1; pass < passes; pass += 1)
    for (const [index, [, measure]] of rows.entries()) {
      const cpuUs = await measure();
      if (pass >= 0) figures[index]!.push(cpuUs);
    }
  for (const [index, [name]] of rows.entries())
    console.log(`| ${name} | ${quantile(figures[index]!, 0.5).toFixed(2)} |`);
}

const write = (): Promise<boolean> => Promise.resolve(true);
const ordered = createBatcher<undefined, void>({
  collectTurn: false,
  async send(batch) {
    await Promise.all(batch.map(write));
    for (const { resolve } of batch) resolve();
  },
});

async function recordRun(store: EngineStore, how: "buffer" | "record"): Promise<void> {
  const task = newTask();
  await store.accept(task);
  const recorder = createRecorder({
    lastSeq: 0,
    stop: new LazyAbortController(),
    write: (each) => store.record({ task, ...each }),
    remember: () => undefined,
    recorded: () => undefined,
    onFault: () => undefined,
  });
  for (const path of ["a", "b"]) await recorder[how]([stepEntry({ path, output: '"x"' })]);
  await recorder.record([stepEntry({ path: "c", output: '"x"' }), statusEntry()], {
    change: ending("completed"),
  });
}

async function cpuUsOf(count: number, work: () => Promise<unknown>, atOnce = 1): Promise<number> {
  let left = count;
  const before = process.cpuUsage();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await work();
    }),
  );
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
