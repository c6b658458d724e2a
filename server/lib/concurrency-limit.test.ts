import { expect, test } from "vitest";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

test("at most the limit run at once, in the order of their calls, and a failure frees its slot", async () => {
  const runLimited = createConcurrencyLimit(2);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const jobs = Array.from({ length: 20 }, (_, index) =>
    runLimited(async () => {
      started.push(index);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (index % 3 === 0) throw new Error("expected");
      return index;
    }),
  );
  const results = await Promise.allSettled(jobs);
  expect(most).toBe(2);
  expect(started).toEqual(started.toSorted((a, b) => a - b));
  expect(results.filter(({ status }) => status === "rejected")).toHaveLength(7);
});

test("a job that is aborted in the queue does not delay the others", async () => {
  const runLimited = createConcurrencyLimit(1);
  let release: () => void = () => undefined;
  const first = runLimited(() => new Promise<void>((resolve) => (release = resolve)));
  const abort = new AbortController();
  const aborted = runLimited(() => Promise.resolve("aborted job"), abort.signal);
  const next = runLimited(() => Promise.resolve("next"));
  abort.abort(new Error("aborted"));
  await expect(aborted).rejects.toThrow("aborted");
  release();
  await first;
  expect(await next).toBe("next");
  expect(await runLimited(() => Promise.resolve("later"))).toBe("later");
});

test("a job that was aborted before the call never starts", async () => {
  const started: string[] = [];
  const aborted = AbortSignal.abort(new Error("aborted"));
  await expect(createConcurrencyLimit(1)(() => Promise.resolve(started.push("x")), aborted)).rejects.toThrow(
    "aborted",
  );
  expect(started).toEqual([]);
});
