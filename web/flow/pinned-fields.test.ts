import { expect, test } from "vitest";
import { pinnedFields, pinnedValue } from "./pinned-fields.ts";
import { valuesOf } from "./input-values.ts";

test("flat sample data has a field for each value, and keeps its types when it is edited", () => {
  const order = {
    order_id: "7",
    total: 12,
    paid: true,
    note: "",
    sent: "2026-01-31",
    tags: ["a"],
    to: { a: 1 },
  };
  const schema = pinnedFields(order)!;
  expect(Object.values(schema.properties ?? {}).map(({ title }) => title)).toEqual(Object.keys(order));
  const values = valuesOf(schema, order);
  expect(pinnedValue(schema, { ...values, total: "12.5", sent: "soon", order_id: "" })).toEqual({
    ...order,
    total: 12.5,
    sent: "soon",
    order_id: "",
  });
  expect(pinnedValue(schema, { ...values, total: "many" })).toBeUndefined();
});

test.each([
  ["a list", [{ a: 1 }]],
  ["text", "hi"],
  ["nothing", {}],
  ["a missing value", { a: null }],
  ["a list with line breaks", { a: ["x\ny"] }],
])("%s is edited as JSON", (_name, value) => {
  expect(pinnedFields(value)).toBeUndefined();
});
