import { expect, test } from "vitest";
import { parseForm } from "./form.ts";

test("a repeated parameter is refused, and a form with too many", () => {
  const form = (count: number) => Array.from({ length: count }, (_, i) => `p${i}=1`).join("&");
  expect(parseForm("a=1&b=%20+")).toEqual({ a: "1", b: "  " });
  expect(Object.keys(parseForm(form(100)))).toHaveLength(100);
  expect(() => parseForm("a=1&a=1")).toThrow("A parameter is repeated.");
  expect(() => parseForm(form(101))).toThrow("The form has more than 100 parameters.");
});
