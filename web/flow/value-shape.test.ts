import { expect, test } from "vitest";
import { isRowList, sampleText, schemaOf, tableOf } from "./value-shape.ts";

test.each([
  [null, "empty"],
  [[1, 2, 3], "3 items"],
  [{ a: 1 }, "1 field"],
  ["two\nlines", "two lines"],
  [128.4, "128.4"],
])("%j in one line is %j", (value, text) => {
  expect(sampleText(value)).toBe(text);
});

test("a list of objects has a column for every field, and a missing field is an empty cell", () => {
  expect(
    tableOf([
      { sku: "A", price: 2 },
      { sku: "B", note: "new" },
    ]),
  ).toEqual({
    columns: ["sku", "price", "note"],
    rows: [
      ["A", 2, undefined],
      ["B", undefined, "new"],
    ],
    hiddenRows: 0,
  });
});

test("an object is a row for each field, other lists are numbered, and text has no table", () => {
  expect(tableOf({ id: 7 })).toEqual({ columns: ["Field", "Value"], rows: [["id", 7]], hiddenRows: 0 });
  expect(tableOf(["x"])).toEqual({ columns: ["Item", "Value"], rows: [[1, "x"]], hiddenRows: 0 });
  expect([tableOf("x"), tableOf([])]).toEqual([undefined, undefined]);
});

test("a list of objects reads best as a table", () => {
  expect([isRowList([{ a: 1 }]), isRowList([{ a: 1 }, 2]), isRowList([]), isRowList({ a: 1 })]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test("a long list shows its first rows and counts the others", () => {
  expect(tableOf(Array.from({ length: 250 }, () => ({ a: 1 })))).toMatchObject({ hiddenRows: 150 });
});

test("a schema merges the items of a list and marks the fields that some of them lack", () => {
  expect(
    schemaOf({
      lines: [
        { sku: "A", price: 2 },
        { sku: "B", price: null, note: "x" },
      ],
    }),
  ).toEqual([
    { name: "", depth: 0, kinds: ["object"], optional: false },
    { name: "lines", depth: 1, kinds: ["list"], optional: false },
    { name: "[]", depth: 2, kinds: ["object"], optional: false },
    { name: "sku", depth: 3, kinds: ["text"], optional: false },
    { name: "price", depth: 3, kinds: ["number", "empty"], optional: false },
    { name: "note", depth: 3, kinds: ["text"], optional: true },
  ]);
});

test("a schema of thousands of fields stays short", () => {
  const huge = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, index]));
  expect(schemaOf(huge).length).toBe(300);
});
