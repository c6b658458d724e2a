import { expect, test } from "vitest";
import { imported, set } from "../testing/import-nodes.ts";

const isLarge = {
  type: "if",
  parameters: {
    conditions: {
      combinator: "and",
      conditions: [
        { leftValue: "={{ $json.n }}", rightValue: 5, operator: { type: "number", operation: "gt" } },
      ],
    },
  },
};
const rows = { type: "postgres", parameters: { operation: "executeQuery", query: "select 1" } };
const oneItem = { type: "code", parameters: { jsCode: "return [{ json: { n: 1 } }];" } };
const resultsOf = ({ nodes }: ReturnType<typeof imported>) =>
  Object.fromEntries(nodes.map(({ name, result }) => [name, result]));

test("a node where branches of one condition meet is ready, one where several lines bring items is to check", () => {
  const branches = imported(
    [
      { name: "Start", ...oneItem },
      { name: "If", ...isLarge },
      { name: "Yes", ...set("a") },
      { name: "No", ...set("b") },
      { name: "Join", ...set("={{ $json.x }}") },
    ],
    { Start: [["If"]], If: [["Yes"], ["No"]], Yes: [["Join"]], No: [["Join"]] },
  );
  expect(resultsOf(branches)["Join"]).toBe("ready");
  const beside = imported(
    [
      { name: "Start", ...oneItem },
      { name: "Yes", ...set("a") },
      { name: "No", ...set("b") },
      { name: "Join", ...set("={{ $json.x }}") },
    ],
    { Start: [["Yes", "No"]], Yes: [["Join"]], No: [["Join"]] },
  );
  expect(beside.nodes.at(-1)).toMatchObject({
    result: "check",
    note: expect.stringContaining("once for each line"),
  });
});

test("a step that makes one value of a list has a condition on whether items arrive", () => {
  const { workflow, nodes } = imported(
    [
      { name: "Rows", ...rows },
      { name: "All", type: "aggregate", parameters: { aggregate: "aggregateAllItemData" } },
    ],
    { Rows: [["All"]] },
  );
  expect(workflow.metadata).toMatchObject({
    steps: [
      { stepId: "rows" },
      { stepId: "any-all", type: "condition", left: "{{steps.rows.output.rows}}", operator: "empty" },
      { stepId: "all" },
    ],
    edges: [
      { source: "rows", target: "any-all" },
      { source: "any-all", target: "all", condition: "false" },
    ],
  });
  expect(nodes[1]?.result).toBe("ready");
});

test("a loop of version 1 ends at its condition on noItemsLeft", () => {
  const done = {
    conditions: { boolean: [{ value1: '={{ $node["Loop"].context["noItemsLeft"] }}', value2: true }] },
  };
  const { workflow } = imported(
    [
      { name: "Rows", ...rows },
      { name: "Loop", type: "splitInBatches", typeVersion: 1, parameters: { batchSize: 1 } },
      { name: "Mail", ...set("={{ $runIndex }} {{ $json.email }}") },
      { name: "Done?", type: "if", typeVersion: 1, parameters: done },
      { name: "Report", type: "aggregate", parameters: { aggregate: "aggregateAllItemData" } },
    ],
    { Rows: [["Loop"]], Loop: [["Mail"]], Mail: [["Done?"]], "Done?": [["Report"], ["Loop"]] },
  );
  expect(workflow.metadata.steps).toMatchObject([
    { stepId: "rows" },
    {
      stepId: "loop",
      type: "foreach",
      steps: [{ template: { x: "{{index}} {{item.email}}" } }, { stepId: "done", type: "transform" }],
    },
    { stepId: "any-report" },
    { stepId: "report", template: { data: "{{steps.loop.output}}" } },
  ]);
});

test("items of a list go on along the line that a switch chooses, also those that no rule is true for", () => {
  const rule = (rightValue: string) => ({
    conditions: {
      options: { caseSensitive: true },
      combinator: "and",
      conditions: [
        { leftValue: "={{ $json.n }}", rightValue, operator: { type: "string", operation: "equals" } },
      ],
    },
  });
  const parameters = { rules: { values: [rule("a"), rule("b")] }, options: { fallbackOutput: "extra" } };
  const all = { type: "aggregate", parameters: { aggregate: "aggregateAllItemData" } };
  const { workflow } = imported(
    [
      { name: "Rows", ...rows },
      { name: "Switch", type: "switch", parameters },
      ...["A", "B", "Rest"].map((name) => ({ name, ...all })),
    ],
    { Rows: [["Switch"]], Switch: [["A"], ["B"], ["Rest"]] },
  );
  const text = JSON.stringify(workflow.metadata.steps);
  expect(text).toContain(String.raw`=== \"a\")`);
  expect(text).toContain(String.raw`![\"a\",\"b\"].includes(`);
});

test("lines from different outputs exclude each other, also of a switch with hundreds of them", () => {
  const outputs = Array.from({ length: 600 }, (_, at) => [at < 300 ? "Low" : "High"]);
  const both = { name: "Both", ...set("={{ $json.x }}") };
  const nodes = [
    { name: "Switch", type: "switch", parameters: { mode: "expression", output: "={{ $json.n }}" } },
    { name: "Low", ...set("a") },
    { name: "High", ...set("b") },
    both,
  ];
  const lines = { Switch: outputs, Low: [["Both"]], High: [["Both"]] };
  expect(resultsOf(imported(nodes, lines))["Both"]).toBe("ready");
  // Output 599 leads to both of them, and a line around the switch to one.
  const shared = { ...lines, Switch: [...outputs.slice(0, -1), ["Low", "High"]] };
  expect(resultsOf(imported(nodes, shared))["Both"]).toBe("check");
  const around = imported([{ name: "Start", ...oneItem }, ...nodes], {
    ...lines,
    Start: [["Switch", "Low"]],
  });
  expect(resultsOf(around)["Both"]).toBe("check");
});
