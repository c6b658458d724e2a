import { expect, test } from "vitest";
import { validateGraph } from "../../../contract/graph/validate.ts";
import { appProblems } from "../../apps/graph-problems.ts";
import { createStarters } from "./all.ts";

const starters = createStarters("http://127.0.0.1:3000");

test("there are at least eight starters with unique ids", () => {
  expect(starters.length).toBeGreaterThanOrEqual(8);
  expect(new Set(starters.map(({ id }) => id)).size).toBe(starters.length);
});

test.each(starters.map((starter) => [starter.id, starter] as const))(
  "%s is valid without a warning and drawn from top to bottom",
  (_id, { metadata }) => {
    expect(validateGraph(metadata)).toEqual({ valid: true, errors: [], warnings: [] });
    expect(appProblems(metadata)).toEqual([]);
    const heightOf = new Map(
      metadata.steps.map(({ stepId, position }) => [stepId, (position as { y: number }).y]),
    );
    for (const { source, target } of metadata.edges)
      expect(heightOf.get(target)).toBeGreaterThan(heightOf.get(source) ?? Infinity);
    expect(metadata.steps.every(({ name }) => typeof name === "string" && name !== "")).toBe(true);
  },
);
