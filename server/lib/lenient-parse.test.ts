import { expect, test } from "vitest";
import { parseJson, percentDecode } from "./lenient-parse.ts";

test("text that is not JSON is undefined, null is not", () => {
  expect(parseJson('{"a":1}')).toEqual({ a: 1 });
  expect(parseJson("null")).toBeNull();
  expect(parseJson("{")).toBeUndefined();
});

test("text that is not percent-encoded stays as it is", () => {
  expect(percentDecode("a%20b")).toBe("a b");
  expect(percentDecode("100%")).toBe("100%");
});
