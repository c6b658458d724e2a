import { expect, test } from "vitest";
import { parseJsonText } from "./json-text.ts";

test.each([
  ["a number that is too large", '{"id": 1e400}'],
  ["deep nesting", "[".repeat(300) + "]".repeat(300) + " ".repeat(400)],
  ["a __proto__ key", '{"__proto__": {}}'],
  ["an escaped __proto__ key", '{"\\u005f_proto__": {}}'],
  ["no JSON", "{"],
])("text with %s stays text", (_what, text) => {
  expect(parseJsonText(text)).toBeUndefined();
});

test("other JSON is read", () => {
  expect(parseJsonText('{"big": 1e300, "text": "\\u005f"}')).toEqual({ big: 1e300, text: "_" });
});
