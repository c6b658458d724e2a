import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { limitsOf } from "../limits/testing/limits-of.ts";
import type { Converted } from "./converter.ts";
import { createFileItems, type FileItemsDeps } from "./file-items.ts";

const MB = 1024 * 1024;
const signal = new AbortController().signal;
const reference = (file: string) => ({ file, name: "a.csv", contentType: "text/csv", size: 4 * MB });
const options = { concurrency: 10, turn: () => Promise.resolve(), signal };

/** Items of files whose first row has these names, with what was opened and indexed. */
function openItems(names: string[], rows: FileItemsDeps["converter"]["run"]) {
  const seen = { opened: 0, indexed: [] as string[], bounds: 0 };
  const items = createFileItems({
    limits: limitsOf({ value_bytes: MB }),
    heapGrowth: { bound: () => void (seen.bounds += 1) },
    runFiles: {
      find: async (_ownerId, fileId) => reference(fileId),
      async open(_ownerId, fileId, range) {
        seen.opened += 1;
        const stream = Readable.from([Buffer.alloc(range!.end - range!.start + 1, "1\n")]);
        return { stream, reference: reference(fileId) };
      },
      withLocalFile: (_ownerId, fileId, use) => use(fileId),
    },
    converter: {
      async run(ownerId, job, stop) {
        if (typeof job === "function" || job.kind !== "index") return rows(ownerId, job, stop);
        seen.indexed.push(job.path);
        return {
          type: "index",
          index: { delimiter: ",", encoding: "utf-8", names, offsets: [0, 4 * MB], rows: 1 },
        };
      },
    },
  });
  return { items, seen };
}
const noRows = (): Promise<Converted> => Promise.reject(new Error("unexpected"));

test("the bytes of a large item are read when its conversion starts, and parsed in a turn of their own", async () => {
  let start = (): void => {};
  const started = new Promise<void>((resolve) => (start = resolve));
  const { items, seen } = openItems(["id"], async (_ownerId, job) => {
    await started;
    const prepared = typeof job === "function" ? await job() : job;
    expect(prepared).toMatchObject({ kind: "rows", maxValueBytes: MB });
    return { type: "value", pieces: [{ path: [], json: "[1]" }] };
  });
  const [entry] = await items.split("user_a", reference("a"), { rowsPerItem: 1, maxItems: 10, signal });
  let turns = 0;
  const turn = async (): Promise<void> => void (turns += 1);
  const reading = items.read("user_a", entry!, { ...options, turn });
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen.opened).toBe(0);
  start();
  expect(await reading).toEqual([1]);
  expect([seen.opened, turns]).toEqual([1, 1]);
});

test("items are smaller when many run at once, and small ones have a share of the value", async () => {
  const { items } = openItems(["n".repeat(1000)], noRows);
  const entry = (end: number) => ({ file: "a", start: 0, end });
  await expect(items.read("user_a", entry(2 * MB), { ...options, concurrency: 100 })).rejects.toThrow(
    "at most 1048576 are allowed. Use a smaller batchSize or concurrency",
  );
  expect(await items.read("user_a", entry(1000), options)).toHaveLength(500);
  await expect(items.read("user_a", entry(1000), { ...options, concurrency: 100 })).rejects.toMatchObject({
    code: "output_too_large",
  });
});

test("names of columns are kept by their size", async () => {
  const { items, seen } = openItems(["n".repeat(1.5 * MB)], noRows);
  for (const file of ["a", "b"])
    await items.split("user_a", reference(file), { rowsPerItem: 1, maxItems: 10, signal });
  await items.read("user_a", { file: "b", start: 0, end: 1 }, options).catch(() => undefined);
  expect(seen.indexed).toEqual(["a", "b"]);
  await items.read("user_a", { file: "a", start: 0, end: 1 }, options).catch(() => undefined);
  expect(seen.indexed).toEqual(["a", "b", "a"]);
});

test("only the items of a large file bound the garbage of the process", async () => {
  const { items, seen } = openItems(["id"], noRows);
  await items.read("user_a", { file: "a", start: 10 * MB - 100, end: 10 * MB }, options);
  expect(seen.bounds).toBe(0);
  await items.read("user_a", { file: "a", start: 10 * MB, end: 10 * MB + 100 }, options);
  expect(seen.bounds).toBe(1);
});
