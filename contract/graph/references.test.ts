import { expect, test } from "vitest";
import { compileTemplate } from "../placeholders/compile.ts";
import { compileStep } from "../steps/compile-step.ts";
import { describeMisuse } from "./references.ts";
import { ownReferences, referredStepIds } from "./step-references.ts";
import { validateGraph } from "./validate.ts";

function misuseOf(placeholder: string, insideLoop = false): string | undefined {
  const [reference] = compileTemplate(`{{${placeholder}}}`).references;
  return describeMisuse(reference!, insideLoop);
}

test.each([
  "input",
  "input.a.b",
  "now",
  "vars.region",
  "secrets.KEY",
  "trigger.kind",
  "trigger.method",
  "trigger.query.page",
  "trigger.event.id",
  "trigger.headers",
  "trigger.headers.etag",
  "task.id",
  "task.resumeUrls.wait",
  "workflow.id",
  "workflow.name",
  "steps.a.output.b",
  "steps.a.status",
  "steps.a.error",
])("{{%s}} exists", (placeholder) => {
  expect(misuseOf(placeholder)).toBeUndefined();
});

test.each([
  ["item", "only in the steps inside a foreach"],
  ["index", "only in the steps inside a foreach"],
  ["now.year", "without fields"],
  ["vars", "add a name"],
  ["secrets", "add a name"],
  ["trigger.kind.a", "without fields"],
  ["trigger.method.a", "without fields"],
  ["trigger.body", "a trigger has only"],
  ["trigger.headers.ETag", "write trigger.headers.etag"],
  ["trigger.headers.etag.a", "a header is a text"],
  ["task", "a task has only"],
  ["task.id.a", "a task has only"],
  ["task.name", "a task has only"],
  ["task.resumeUrls", "write task.resumeUrls"],
  ["task.resumeUrls.wait.a", "write task.resumeUrls"],
  ["workflow", "a workflow has only"],
  ["workflow.id.a", "a workflow has only"],
  ["workflow.name.a", "a workflow has only"],
  ["workflow.owner", "a workflow has only"],
  ["steps.a", "write steps.<id>.output"],
  ["steps.a.result", "write steps.<id>.output"],
  ["env.HOME", "a placeholder begins with"],
])("{{%s}} does not exist: %s", (placeholder, reason) => {
  expect(misuseOf(placeholder)).toContain(reason);
});

test("item and index exist inside a loop", () => {
  expect([misuseOf("item.a", true), misuseOf("index", true)]).toEqual([undefined, undefined]);
});

test("a code step refers to what its code reads and to the secrets it lists", () => {
  const step = {
    stepId: "sum",
    type: "code",
    code: "return steps.first.output + vars.rate",
    secrets: ["KEY", 7],
  };
  const references = ownReferences(step, compileStep(step));
  expect(references.map(({ root, path }) => [root, ...path].join("."))).toEqual(
    expect.arrayContaining(["secrets.KEY", "vars.rate"]),
  );
  expect(references.filter(({ root }) => root === "secrets")).toHaveLength(1);
  expect(referredStepIds(step)).toContain("first");
});

test("a step without code or expression lists no secrets", () => {
  const step = { stepId: "a", type: "transform", template: "{{secrets.KEY}}", secrets: ["OTHER"] };
  expect(ownReferences(step, compileStep(step)).map(({ source }) => source)).toEqual(["secrets.KEY"]);
});

test("a loop refers to what its comparison and its inner steps read outside of it", () => {
  const transform = (stepId: string, template: string) => ({ stepId, type: "transform", template });
  const loop = {
    stepId: "retry",
    type: "while",
    left: "{{steps.limit.output}}",
    operator: "gt",
    right: "{{index}}",
    // Neither a value that is not a step nor a step without an id stops the search.
    steps: [
      transform("inner", "{{steps.outer.output}} {{steps.sibling.output}}"),
      transform("sibling", ""),
      null,
      { type: "transform", template: "{{steps.unread.output}}" },
    ],
  };
  expect(referredStepIds(loop)).toEqual(["limit", "outer"]);
});

test("code that reads vars without a name is refused", () => {
  const { errors } = validateGraph({
    steps: [{ stepId: "sum", type: "code", code: "return vars" }],
    edges: [],
  });
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringContaining('the code uses "vars" without the name of a variable'),
  ]);
});

test("the comparison of a loop may use index", () => {
  const { errors } = validateGraph({
    steps: [
      {
        stepId: "retry",
        type: "while",
        left: "{{index}}",
        operator: "lt",
        right: "3",
        steps: [{ stepId: "inner", type: "transform", template: "a" }],
      },
    ],
    edges: [],
  });
  expect(errors).toEqual([]);
});
