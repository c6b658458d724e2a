import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { parseJsonBytes, parseLargeJsonBytes } from "./json-body.ts";

const nested = (depth: number) => "[".repeat(depth) + " ".repeat(500) + "]".repeat(depth);

test.each([
  ['{"a": [1, "ü"]}', { a: [1, "ü"] }],
  ['\uFEFF{"a": 1}', { a: 1 }],
  ["  ", undefined],
  [nested(200), expect.anything()],
])("%j is read the same at once and in turns", async (text, value) => {
  const bytes = Buffer.from(text);
  expect(parseJsonBytes(bytes)).toEqual(value);
  expect(await parseLargeJsonBytes(bytes)).toEqual(value);
});

test.each([
  [
    Buffer.from("{"),
    expect.stringMatching(/^The body is not valid JSON\. Put names and text in double quotes/),
  ],
  [Buffer.from([0x22, 0xff, 0x22]), "The body is not UTF-8. Send JSON in UTF-8, without compression."],
  [gzipSync('{"a": 1}'), "The body is not UTF-8. Send JSON in UTF-8, without compression."],
  [Buffer.from(nested(201)), "The JSON is nested more than 200 levels deep."],
  [Buffer.from('{"a": {"\\u005f_proto__": 1}}'), "The JSON has a key named __proto__, which is not allowed."],
  [Buffer.from('{"a": 1e999}'), "The JSON has a number that is too large. Send it as text."],
])("%s is refused at once and in turns", async (bytes, message) => {
  expect(() => parseJsonBytes(bytes)).toThrow(expect.objectContaining({ message }));
  await expect(parseLargeJsonBytes(bytes)).rejects.toMatchObject({ code: "invalid_json", message });
});

test("a large body is never parsed at once", async () => {
  const parse = vi.spyOn(JSON, "parse");
  onTestFinished(() => parse.mockRestore());
  const body = await parseLargeJsonBytes(Buffer.from(`{"a":[${"[],".repeat(100_000)}1]}`));
  expect((body as { a: unknown[] }).a).toHaveLength(100_001);
  expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(100_000);
});
