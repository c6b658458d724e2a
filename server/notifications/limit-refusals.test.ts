import { expect, test } from "vitest";
import { createLimitRefusals, type LimitRefusal } from "./limit-refusals.ts";

test("a flood of refusals is one row for each workspace and limit, and a failed write is reported", async () => {
  const written: LimitRefusal[][] = [];
  const errors: unknown[] = [];
  const refusals = createLimitRefusals({
    async write(rows) {
      written.push([...rows]);
      if (written.length === 2) throw new Error("disk full");
    },
    onError: (error) => errors.push(error),
  });
  for (let times = 0; times < 10_000; times++) refusals.record("ws_1", "emails");
  refusals.record("ws_2", "emails");
  await refusals.close();
  expect(written).toEqual([
    [
      { ownerId: "ws_1", limit: "emails", count: 10_000 },
      { ownerId: "ws_2", limit: "emails", count: 1 },
    ],
  ]);
  refusals.record("ws_1", "triggers");
  await refusals.close();
  await refusals.close();
  expect(errors).toHaveLength(1);
  expect(written).toHaveLength(2);
});
