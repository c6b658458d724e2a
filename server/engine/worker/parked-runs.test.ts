import { expect, test } from "vitest";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { blankMemory } from "../journal/fold.ts";
import type { ParkedState } from "../run/run.ts";
import { createParkedRuns } from "./parked-runs.ts";

const task = (id: string, workflowVersion = 1) => ({ id, workflowVersion });

function stateOf(steps: number, items: readonly JsonValue[] = []): ParkedState {
  const paths = Array.from({ length: steps }, (_, n) => [`step_${n}`, blankMemory()] as const);
  const loops = new Map([["each", { items, open: new Set<number>(), next: 0 }]]);
  return { memory: new Map(paths), loops, recordedBytes: 0, lastSeq: 7 };
}

test("the state of a long run is returned once, and only for the version that it ran", () => {
  const parked = createParkedRuns();
  const state = stateOf(100);
  parked.keep(task("task_1"), state);
  expect(parked.take(task("task_1"))).toBe(state);
  expect(parked.take(task("task_1"))).toBeUndefined();
  parked.keep(task("task_1"), state);
  expect(parked.take(task("task_1", 2))).toBeUndefined();
});

test("a large input is kept with the state, unless both together exceed the limit", () => {
  const parked = createParkedRuns();
  const large = { input: ["a"], inputCharacters: 1_000_000 };
  parked.keep({ ...task("loop"), ...large }, stateOf(40_000));
  expect(parked.input("loop")).toEqual(large);
  // The input counts: the next one needs its room.
  parked.keep(task("next"), stateOf(60_000));
  expect([parked.input("loop"), parked.take(task("loop"))]).toEqual([undefined, undefined]);
  const huge = { input: "b", inputCharacters: 6_000_001 };
  const state = stateOf(40_000);
  parked.keep({ ...task("huge"), ...huge }, state);
  expect(parked.input("huge")).toBeUndefined();
  expect(parked.take(task("huge"))).toBe(state);
});

test("a short run is not kept, nor one that exceeds the limit; the oldest are dropped first", () => {
  const parked = createParkedRuns();
  parked.keep(task("short"), stateOf(99));
  parked.keep(
    task("huge"),
    stateOf(
      1,
      Array.from({ length: 100_000 }, () => null),
    ),
  );
  expect([parked.take(task("short")), parked.take(task("huge"))]).toEqual([undefined, undefined]);
  for (const id of ["first", "second", "third"]) parked.keep(task(id), stateOf(40_000));
  expect(parked.take(task("first"))).toBeUndefined();
  expect(parked.take(task("third"))).toBeDefined();
});
