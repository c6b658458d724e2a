import { expect, test } from "vitest";
import { inputLabel, itemLabel } from "./item-label.ts";

test("an item is known by its name, its id or its first value", () => {
  expect(itemLabel("NW-MUG-11")).toBe("NW-MUG-11");
  expect(itemLabel({ quantity: 2, sku: "NW-LAMP-03" })).toBe("NW-LAMP-03");
  expect(itemLabel({ quantity: 2, orderId: "o-1" })).toBe("o-1");
  expect(itemLabel({ tags: [], quantity: 2 })).toBe("2");
  expect(itemLabel([1, 2])).toBe("");
  expect(itemLabel(null)).toBe("");
  expect(itemLabel("x".repeat(100))).toHaveLength(41);
});

test("an input without a name is shown as it is, and only an empty one as none", () => {
  expect(inputLabel({ name: "Ada" })).toBe("Ada");
  expect(inputLabel({ items: [{ price: 2 }] })).toBe('{"items":[{"price":2}]}');
  expect([inputLabel({}), inputLabel(null), inputLabel(undefined)]).toEqual(["none", "none", "none"]);
});
