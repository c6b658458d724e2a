import { expect, onTestFinished, test, vi } from "vitest";
import { parseAnyJsonText, parseJsonText } from "./json-text.ts";

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

test("large text has the value of small text, and is never parsed at once", async () => {
  const parse = vi.spyOn(JSON, "parse");
  onTestFinished(() => parse.mockRestore());
  const many = Array.from({ length: 40_000 }, (_, i) => `"k${i}":[${i}]`).join(",");
  expect(await parseAnyJsonText(`{"a":[{${many}}]}`)).toMatchObject({ a: [{ k39999: [39_999] }] });
  expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(100_000);
  for (const refused of ['"__proto__":1', '"\\u005f_proto__":[1]', '"a":1e999', '"a"', '"a":1}'])
    expect(await parseAnyJsonText(`[{${many},${refused}}]`)).toBeUndefined();
  expect(await parseAnyJsonText(`[{${many},"a":${"[".repeat(200)}${"]".repeat(200)}}]`)).toBeUndefined();
});
