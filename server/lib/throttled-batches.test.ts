import { expect, test } from "vitest";
import { createThrottledBatches } from "./throttled-batches.ts";

/** Each batch takes as long as the row count of its delete, times `msPerRow`. */
function open(msPerRow: () => number) {
  let now = 0;
  const clock = { monotonic: () => now };
  const batches = createThrottledBatches(clock, new AbortController().signal, { firstRows: 4, maxRows: 16 });
  const limits: number[] = [];
  const deleteRows = (left: { rows: number }) => (limit: number) => {
    limits.push(limit);
    const deleted = Math.min(limit, left.rows);
    left.rows -= deleted;
    now += deleted * msPerRow();
    return Promise.resolve(deleted);
  };
  return { batches, limits, deleteRows };
}

test("quick batches grow up to the maximum, slow ones shrink down to one row", async () => {
  const { batches, limits, deleteRows } = open(() => 0);
  await batches.deleteAll(deleteRows({ rows: 60 }));
  expect(limits).toEqual([4, 8, 16, 16, 16, 16]);
  const slow = open(() => 10);
  await slow.batches.deleteAll(slow.deleteRows({ rows: 9 }));
  expect(slow.limits).toEqual([4, 2, 1, 1, 1, 1]);
});

test("another delete starts small again: its rows may be much larger", async () => {
  const { batches, limits, deleteRows } = open(() => 0);
  await batches.deleteAll(deleteRows({ rows: 60 }));
  limits.length = 0;
  await batches.deleteAll(deleteRows({ rows: 3 }));
  expect(limits).toEqual([4]);
});
