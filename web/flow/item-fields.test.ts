import { expect, test } from "vitest";
import { itemPath } from "../../contract/data/item-path.ts";
import { fieldsOfItems } from "./item-fields.ts";

test("the fields of items are named as a data step takes them", () => {
  const items = [
    { id: 1, customer: { email: "a@example.com" } },
    { id: 2, "First name": "Ada", "a.b": 1 },
    7,
  ];
  const names = fieldsOfItems(items);
  expect(names).toEqual(["id", "customer", "customer.email", "First name", '["a.b"]']);
  expect(names.map((name) => itemPath(name).keys)).toEqual([
    ["id"],
    ["customer"],
    ["customer", "email"],
    ["First name"],
    ["a.b"],
  ]);
  expect(fieldsOfItems({ id: 1 })).toEqual([]);
  expect(fieldsOfItems([{ id: 1, lines: [], more: { tags: [] } }], Array.isArray)).toEqual([
    "lines",
    "more.tags",
  ]);
});
