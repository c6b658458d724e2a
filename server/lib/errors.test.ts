import { expect, test } from "vitest";
import { notFound } from "./errors.ts";

test.each([
  [undefined, "There is no such store value."],
  ["", "The id of the store value is empty. Add it to the path, or remove a slash at the end."],
  ["a-1", 'There is no store value "a-1".'],
  ['"\n', 'There is no store value "\\"\\n".'],
  ["x".repeat(81), `There is no store value "${"x".repeat(80)}…".`],
  [`${"x".repeat(79)}😀`, `There is no store value "${"x".repeat(79)}\\ud83d…".`],
])("a missing record with the id %j is named", (id, message) => {
  expect(notFound("store_value", id)).toMatchObject({ code: "store_value_not_found", message });
});
