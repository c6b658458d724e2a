import { expect, test } from "vitest";
import { imported, set } from "../testing/import-nodes.ts";

const rows = {
  name: "Rows",
  type: "postgres",
  parameters: { operation: "executeQuery", query: "select 1" },
};
const mail = { type: "set", parameters: set("={{ $json.email }} {{ $('Rows').item.json.id }}").parameters };

test("steps that run once per item go into a foreach, up to the step that takes all items", () => {
  const { workflow } = imported(
    [
      rows,
      { name: "Mail", ...mail },
      { name: "Sorted", type: "sort", parameters: { sortFieldsUi: { sortField: [{ fieldName: "x" }] } } },
    ],
    { Rows: [["Mail"]], Mail: [["Sorted"]] },
  );
  expect(workflow.metadata).toMatchObject({
    steps: [
      { stepId: "rows" },
      {
        stepId: "each-rows",
        type: "foreach",
        items: "{{steps.rows.output.rows}}",
        steps: [{ template: { x: "{{item.email}} {{item.id}}" } }],
      },
      { stepId: "sorted", code: expect.stringContaining('const items = steps["each-rows"].output;') },
    ],
    edges: [
      { source: "rows", target: "each-rows" },
      { source: "each-rows", target: "sorted" },
    ],
  });
});

test("Loop Over Items is a foreach with its nodes inside, and the line back goes", () => {
  const { workflow, nodes } = imported(
    [
      rows,
      { name: "Loop", type: "splitInBatches", typeVersion: 3, parameters: { batchSize: 10 } },
      { name: "Mail", ...set("={{ $json.email }}") },
      { name: "Done", type: "noOp" },
    ],
    { Rows: [["Loop"]], Loop: [["Done"], ["Mail"]], Mail: [["Loop"]] },
  );
  expect(workflow.metadata).toMatchObject({
    steps: [
      { stepId: "rows" },
      {
        stepId: "loop",
        type: "foreach",
        items: "{{steps.rows.output.rows}}",
        concurrency: 10,
        steps: [{ stepId: "mail", template: { x: "{{item.email}}" } }],
        edges: [],
      },
      { stepId: "done", template: "{{steps.loop.output}}" },
    ],
  });
  expect(nodes.find(({ name }) => name === "Loop")).toMatchObject({ result: "check", stepType: "foreach" });
  expect(nodes.find(({ name }) => name === "Mail")).toMatchObject({ inside: "loop" });
});

test("another line back is removed and reported", () => {
  const { workflow, nodes } = imported(
    [
      { name: "Ask", type: "httpRequest", parameters: { url: "https://a.example" } },
      { name: "Wait", type: "wait", parameters: { amount: 1 } },
    ],
    { Ask: [["Wait"]], Wait: [["Ask"]] },
  );
  expect(workflow.metadata.edges).toMatchObject([{ source: "ask", target: "wait" }]);
  expect(nodes[1]).toMatchObject({ result: "check", note: expect.stringContaining("line back") });
});

test("inside of a loop over a list, all() and first() read the list and item reads the item", () => {
  const value = "={{ $('Rows').all().length }} {{ $('Rows').first().json.id }} {{ $('Rows').item.json.id }}";
  const { workflow } = imported([rows, { name: "Mail", ...set(value) }], { Rows: [["Mail"]] });
  expect(JSON.stringify(workflow.metadata.steps[1])).toContain(
    "{{= steps.rows.output?.rows.map((json) => ({ json })).length }} {{steps.rows.output.rows[0].id}} {{item.id}}",
  );
});
