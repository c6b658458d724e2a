import { expect, test } from "vitest";
import { renameReferences } from "./rename-references.ts";

test("code and expressions keep working when a step gets a name with a dash", () => {
  const step = {
    type: "code",
    code: "return steps.a.output + steps['a'].output",
    note: "{{steps.a.output}}",
  };
  expect(renameReferences(step, "a", "get-order")).toEqual({
    type: "code",
    code: 'return steps["get-order"].output + steps["get-order"].output',
    note: "{{steps.get-order.output}}",
  });
  expect(renameReferences("{{= steps.a.output * 2 }}", "a", "get-order")).toBe(
    '{{= steps["get-order"].output * 2 }}',
  );
  expect(renameReferences("{{= steps.a.output * 2 }}", "a", "order")).toBe("{{= steps.order.output * 2 }}");
});
