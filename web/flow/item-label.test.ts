import { expect, test } from "vitest";
import { itemLabel } from "./item-label.ts";

test("an item is known by its name, its id or its first value", () => {
  expect(itemLabel("NW-MUG-11")).toBe("NW-MUG-11");
  expect(itemLabel({ quantity: 2, sku: "NW-LAMP-03" })).toBe("NW-LAMP-03");
  expect(itemLabel({ quantity: 2, orderId: "o-1" })).toBe("o-1");
  expect(itemLabel({ tags: [], quantity: 2 })).toBe("2");
  expect(itemLabel([1, 2])).toBe("");
  expect(itemLabel(null)).toBe("");
  expect(itemLabel("x".repeat(100))).toHaveLength(41);
});
