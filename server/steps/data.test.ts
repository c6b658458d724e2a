import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { slowClock } from "../lib/testing/slow-clock.ts";
import { limitsOf } from "../limits/testing/limits-of.ts";
import { createDataRunner } from "./data.ts";
import { sampleCall } from "./testing/sample-call.ts";

const runner = createDataRunner({ limits: limitsOf({ value_bytes: 1_000_000 }) });

test("the new list is the output", async () => {
  const call = sampleCall({ operation: "limit", items: [1, 2, 3], count: 2 });
  expect(await runner.run(call)).toEqual({ output: [1, 2] });
});

test("a value that is no list fails the step for good", async () => {
  const call = sampleCall({ operation: "sort", items: { rows: [1] } });
  await expect(runner.run(call)).rejects.toMatchObject({
    code: "invalid_field",
    permanent: true,
    message: 'The field "items" must be a list, not an object. The object has a list in "rows".',
  });
});

test("a join that would exceed the budget of a value is refused", async () => {
  const items = Array.from({ length: 20_000 }, () => ({ key: 1 }));
  const call = sampleCall({ operation: "merge", items, with: items, mode: "inner", by: ["key"] });
  await expect(runner.run(call)).rejects.toMatchObject({
    code: "output_too_large",
    details: { limit: "MAX_VALUE_BYTES" },
  });
});

test("many items leave the event loop free in between, and a cancelled step ends", async () => {
  slowClock();
  const unlimited = createDataRunner({ limits: limitsOf() });
  const items = Array.from({ length: 10_000 }, (_, i) => -i);
  const stop = new AbortController();
  let ended = false;
  const running = unlimited
    .run(sampleCall({ operation: "sort", items }, { signal: stop.signal }))
    .finally(() => (ended = true));
  running.catch(() => undefined);
  for (let turns = 0; turns < 5; turns++) await nextTurn();
  expect(ended).toBe(false);
  stop.abort(new Error("cancelled"));
  await expect(running).rejects.toThrow("cancelled");
});
