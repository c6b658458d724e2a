import { expect, test } from "vitest";
import { patternOf } from "./failure-groups.ts";

test.each([
  ["Order 17 failed", "Order 18 failed"],
  ["GET https://example.com/orders/17 timed out", "GET https://example.com/orders/18 timed out"],
  ["Document doc_01hzx was not found", "Document doc_02kkk was not found"],
  ["No user 5f2c8a1e-0000-4000-8000-000000000001", "No user 6a2c8a1e-0000-4000-8000-00000000000f"],
  ['Variable "name" is missing', 'Variable "mail" is missing'],
])("%j and %j have one cause", (a, b) => {
  expect(patternOf(a)).toBe(patternOf(b));
});

test("messages with other words have different causes", () => {
  expect(patternOf("The server timed out")).not.toBe(patternOf("The server refused the connection"));
});
