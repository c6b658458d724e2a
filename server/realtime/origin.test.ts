import { expect, test } from "vitest";
import { isAllowedOrigin } from "./origin.ts";

const settings = { corsOrigins: ["https://good.example"], publicUrl: "https://baton.example" };

test.each([
  [undefined, true],
  ["https://good.example", true],
  ["https://baton.example", true],
  ["http://127.0.0.1:3000", true],
  ["https://evil.example", false],
  ["https://good.example.evil.example", false],
  ["http://good.example", false],
  ["http://127.0.0.1:3001", false],
  ["null", false],
  ["", false],
])("a page of %s may open a socket: %s", (origin, allowed) => {
  expect(isAllowedOrigin(origin, "127.0.0.1:3000", settings)).toBe(allowed);
});

test("without a list of the operator, only the service's own address is allowed", () => {
  const closed = { corsOrigins: [], publicUrl: undefined };
  expect(isAllowedOrigin("https://good.example", "localhost:3000", closed)).toBe(false);
  expect(isAllowedOrigin("http://localhost:3000", "localhost:3000", closed)).toBe(true);
});
