import { expect, onTestFinished, test, vi } from "vitest";
import { LARGE_TEXT, parseAnyJsonText, parseJsonText } from "./untrusted-json.ts";

test.each([
  ["a number that is too large", '{"id": 1e400}'],
  ["deep nesting", "[".repeat(300) + "]".repeat(300) + " ".repeat(400)],
  ["a __proto__ key", '{"__proto__": {}}'],
  ["an escaped __proto__ key", '{"\\u005f_proto__": {}}'],
  ["a __proto__ key with an escaped letter", '{"__\\u0070roto__": {}}'],
  ["no JSON", "{"],
])("text with %s stays text", (_what, text) => {
  expect(parseJsonText(text)).toBeUndefined();
});

test("other JSON is read", () => {
  expect(parseJsonText('{"big": 1e300, "text": "\\u005f"}')).toEqual({ big: 1e300, text: "_" });
});

test("large text has the value of small text, and is never parsed or walked at once", async () => {
  const parse = vi.spyOn(JSON, "parse");
  const values = vi.spyOn(Object, "values");
  onTestFinished(() => [parse, values].forEach((spy) => spy.mockRestore()));
  const many = Array.from({ length: 40_000 }, (_, i) => `"k${i}":[${i}]`).join(",");
  // The text of `b` looks like a number that is too large.
  expect(await parseAnyJsonText(`{"a":[{${many}}],"b":"1e999"}`)).toMatchObject({
    a: [{ k39999: [39_999] }],
    b: "1e999",
  });
  expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(100_000);
  expect(values).not.toHaveBeenCalled();
  for (const refused of [
    '"__proto__":1',
    '"\\u005f_proto__":[1]',
    '"__\\u0070roto__":[1]',
    '"a":1e999',
    '"a":-1e999',
    `"a":${"9".repeat(400)}`,
    '"a"',
    '"a":1}',
  ])
    expect(await parseAnyJsonText(`[{${many},${refused}}]`)).toBeUndefined();
  expect(await parseAnyJsonText(`[{${many},"a":${"[".repeat(200)}${"]".repeat(200)}}]`)).toBeUndefined();
});

test("a key __proto__ is found wherever it is in large text", async () => {
  for (let shift = 0; shift < 16; shift++)
    expect(
      await parseAnyJsonText(`["${"x".repeat(LARGE_TEXT - 4 - shift)}",{"__proto__":1}]`),
    ).toBeUndefined();
});
