import { expect, test } from "vitest";
import { httpResponseOf, outputSize } from "./http-response.ts";

test("an http step's response has its status in words and its headers in order", () => {
  expect(
    httpResponseOf({ response: { status: 200, headers: { "content-type": "text/plain", age: "3" } } }),
  ).toEqual({
    status: 200,
    statusText: "OK",
    ok: true,
    headers: [
      ["content-type", "text/plain"],
      ["age", "3"],
    ],
    body: undefined,
  });
  expect(httpResponseOf({ response: { status: 404, headers: {}, body: "gone" } })).toMatchObject({
    ok: false,
    statusText: "Not found",
    body: "gone",
  });
});

test("other steps and a field of the user's own data are not a response", () => {
  expect(httpResponseOf({})).toBeUndefined();
  expect(httpResponseOf({ response: "fine" })).toBeUndefined();
});

test("the size of an output is its bytes as JSON", () => {
  expect([outputSize(null), outputSize("é"), outputSize([1, 2])]).toEqual([0, 4, 5]);
});
