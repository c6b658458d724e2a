import { expect, test } from "vitest";
import { validateGraph } from "../../contract/graph/validate.ts";
import { fieldProblem, generalProblems, missingFields } from "./field-problems.ts";
import { newStep } from "./new-step.ts";

const problemsOf = (step: Record<string, unknown>) => validateGraph({ steps: [step], edges: [] }).errors;

test("a new step needs setup, and no field of it is wrong", () => {
  const step = newStep([], "http");
  expect(missingFields(problemsOf(step), step)).toEqual(["URL"]);
  expect(fieldProblem(problemsOf(step), "url")).toBeUndefined();
  expect(generalProblems(problemsOf(step), step)).toEqual([]);
  const condition = newStep([], "condition");
  expect(missingFields(problemsOf(condition), condition)).toEqual(["Value", "Compare with"]);
  const wait = newStep([], "delay");
  expect(missingFields(problemsOf(wait), wait)).toEqual(["For or Until"]);
});

test("an invalid value is a sentence at its field", () => {
  const step = { stepId: "a", type: "http", url: "ftp://x", maxRetries: 500 };
  expect(fieldProblem(problemsOf(step), "url")).toBe("Must be a URL that begins with http:// or https://.");
  expect(fieldProblem(problemsOf(step), "maxRetries")).toBe("Must be a whole number from 0 to 100.");
  expect(fieldProblem(problemsOf(step), "body")).toBeUndefined();
  expect(generalProblems(problemsOf(step), step)).toEqual([]);
});

test("a problem that no field shows is listed", () => {
  const step = { stepId: "a", type: "no-such-type" };
  expect(generalProblems(problemsOf(step), step)).toHaveLength(1);
});
