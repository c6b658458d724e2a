import { expect, test } from "vitest";
import { runInNewContext } from "node:vm";
import { imported, type Node, step } from "../testing/import-nodes.ts";

const rule = (value2: string, more: object = {}) => ({ operation: "equal", value2, ...more });
const switchOf = (typeVersion: number, parameters: object): Node => ({
  name: "Switch",
  type: "switch",
  typeVersion,
  parameters: { dataType: "string", value1: "={{ $json.a }}", ...parameters },
});
const targets = ["First", "Second"].map((name) => ({ name, type: "noOp" }));
const caseOf = (node: Node): unknown[] =>
  imported([node, ...targets], { Switch: [["First"], ["Second"]] }).workflow.metadata.edges.map((edge) => {
    const { target, caseValue } = edge as { target: string; caseValue?: string };
    return [target, caseValue];
  });

test("rules of Switch version 1 name their output, of which the first is left out of the file", () => {
  expect(caseOf(switchOf(1, { rules: { rules: [rule("x", { output: 1 }), rule("y")] } }))).toEqual([
    ["first", "y"],
    ["second", "x"],
  ]);
});

test("rules of Switch version 2 lead to the outputs in their order", () => {
  const rules = [rule("x", { output: 1, outputKey: "b" }), rule("y", { output: 0 })];
  expect(caseOf(switchOf(2, { rules: { rules } }))).toEqual([
    ["first", "x"],
    ["second", "y"],
  ]);
});

test("Switch version 1 with an expression takes the first output when the file names none", () => {
  expect(step({ ...switchOf(1, { mode: "expression" }) }).step).toMatchObject({ type: "switch", value: 0 });
});

const textField = (typeVersion: number) => {
  const isOld = typeVersion < 3.3;
  const parameters = isOld
    ? { fields: { values: [{ name: "x", stringValue: "={{ $json.a }}" }] }, include: "none" }
    : { assignments: { assignments: [{ name: "x", type: "string", value: "={{ $json.a }}" }] } };
  const { template } = step({ type: "set", typeVersion, parameters }).step as { template: { x: string } };
  const script = template.x.replace(/^\{\{=|\}\}$/g, "");
  return (output: object): unknown => {
    try {
      return runInNewContext(script, { steps: { "get-row": { output } } });
    } catch {
      return "refused";
    }
  };
};

test.each<[number, unknown, unknown]>([
  [3, "undefined", "null"],
  [3.1, "refused", "refused"],
  [3.2, null, null],
  [3.4, null, null],
])(
  "a text field of Set version %d makes of a missing value and of null what n8n makes",
  (version, missing, empty) => {
    const run = textField(version);
    expect([run({}), run({ a: null }), run({ a: 5 }), run({ a: { b: 1 } })]).toEqual([
      missing,
      empty,
      "5",
      '{"b":1}',
    ]);
  },
);

test("fixed JSON of Set keeps the other fields of the item, and a repeated item is a note", () => {
  const parameters = { mode: "raw", jsonOutput: '{"a": 1}', includeOtherFields: true, duplicateItem: true };
  expect(step({ type: "set", typeVersion: 3.4, parameters })).toMatchObject({
    step: { template: '{{= ({ ...steps["get-row"].output, a: 1 }) }}' },
    report: { result: "ready", note: "n8n repeats the item in runs by hand only." },
  });
  const dotted = { ...parameters, jsonOutput: '{"a.b": 1}' };
  expect(step({ type: "set", typeVersion: 3.4, parameters: dotted }).report.result).toBe("check");
});
