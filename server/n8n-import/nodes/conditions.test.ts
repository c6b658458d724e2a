import { expect, test } from "vitest";
import { step } from "../testing/import-nodes.ts";

const a = 'steps["get-row"].output?.a';
const compare = (type: string, operation: string, rightValue: unknown, options = {}) =>
  step({
    type: "if",
    parameters: {
      conditions: {
        options: { caseSensitive: true, typeValidation: "strict", ...options },
        combinator: "and",
        conditions: [{ leftValue: "={{ $json.a }}", rightValue, operator: { type, operation } }],
      },
    },
  });

test.each<[string, string, unknown, object]>([
  ["number", "gt", 5, { operator: "gt", right: 5 }],
  ["number", "empty", "", { operator: "exists" }],
  ["string", "contains", "x", { operator: "contains", right: "x" }],
  ["string", "equals", "", { operator: "empty" }],
  ["string", "regex", "/^a\\d+$/i", { operator: "matches", right: "(?i)^a\\d+$" }],
  ["boolean", "false", "", { operator: "eq", right: true }],
  // A missing number is 0 in n8n, and in no order here.
  ["number", "lt", 14, { left: `{{= Number((${a})) < Number((14)) }}`, operator: "eq", right: true }],
  ["string", "regex", "a(?=b)", { left: `{{= new RegExp("a(?=b)", "").test(String((${a}) ?? "")) }}` }],
])("%s %s %s decides as in n8n", (type, operation, right, fields) => {
  const { step: found, report } = compare(type, operation, right);
  expect(found).toMatchObject({ type: "condition", ...fields });
  expect(report.result).toBe("ready");
});

test("upper and lower case are ignored, and types converted, where the options of the node say so", () => {
  expect(compare("string", "equals", "ANN", { caseSensitive: false }).step["left"]).toBe(
    `{{= String((${a}) ?? "").toLowerCase() === String(("ANN") ?? "").toLowerCase() }}`,
  );
  expect(compare("boolean", "true", "", { typeValidation: "loose", version: 2 }).step["left"]).toContain(
    "/^(?:false|0|)$/i",
  );
});
