import { expect, test } from "vitest";
import { readHeaders } from "./read-headers.ts";

test("headers are read one per line, and a line that is none is named", () => {
  expect(readHeaders("Authorization: Bearer a:b \n\n X-Team : red")).toEqual({
    headers: { Authorization: "Bearer a:b", "X-Team": "red" },
  });
  expect(readHeaders("")).toEqual({ headers: {} });
  expect(readHeaders("Bearer abc")).toEqual({ error: "Write each header as Name: value." });
});
