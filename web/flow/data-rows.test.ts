import { expect, test } from "vitest";
import {
  aggregateName,
  readAggregates,
  readConditions,
  readOrder,
  writeAggregates,
  writeConditions,
  writeOrder,
} from "./data-rows.ts";

test("rows are written as they were read", () => {
  const by = ["-total", "customer.email"];
  expect(writeOrder(readOrder(by)!)).toEqual(by);
  const conditions = [
    { field: "total", operator: "gt", value: 100 },
    { field: "note", operator: "empty" },
  ];
  expect(writeConditions(readConditions(conditions)!)).toEqual(conditions);
  const aggregates = { orders: "count", total: "sum(customer.total)", open: "first(a(b))" };
  expect(writeAggregates(readAggregates(aggregates)!)).toEqual(aggregates);
});

test("rows that are still empty are not stored", () => {
  expect(writeOrder(readOrder(undefined)!)).toBeUndefined();
  expect(writeConditions(readConditions(undefined)!)).toBeUndefined();
  expect(writeAggregates(readAggregates(undefined)!)).toBeUndefined();
});

test.each([
  [readOrder, "{{input.by}}"],
  [readOrder, [{ field: "a" }]],
  [readConditions, "{{input.conditions}}"],
  [readConditions, [{ field: "a", operator: "eq", value: 1, note: "kept" }]],
  [readAggregates, { total: "{{input.compute}}" }],
])("%o leaves %j to the plain field", (read, value) => {
  expect(read(value)).toBeUndefined();
});

test("a computed field has a name from its function and field", () => {
  expect(aggregateName({ compute: "count", field: "" })).toBe("count");
  expect(aggregateName({ compute: "sum", field: "lines[0].price" })).toBe("price_sum");
});
