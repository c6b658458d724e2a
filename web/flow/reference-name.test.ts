import { expect, test } from "vitest";
import { nameAfterTitle, nameFromTitle } from "./reference-name.ts";

test.each([
  ["Get order", "get-order"],
  ["Über €100?", "uber-100"],
  ["  --  ", ""],
  ["注文", "注文"],
])("the title %j gives the name %j", (title, name) => {
  expect(nameFromTitle(title)).toBe(name);
});

const steps = ["http-request", "get-order", "mine"].map((stepId) => ({ stepId, type: "http" }));

test("a name follows its title until a person edits it", () => {
  expect(nameAfterTitle(steps, "http-request", { before: "HTTP request", after: "Check return" })).toBe(
    "check-return",
  );
  expect(nameAfterTitle(steps, "mine", { before: "HTTP request", after: "Check return" })).toBeUndefined();
});

test("a numbered name follows too, and a taken name gets a number", () => {
  const numbered = [...steps, { stepId: "http-request-2", type: "http" }];
  expect(nameAfterTitle(numbered, "http-request-2", { before: "HTTP request", after: "Get order" })).toBe(
    "get-order-2",
  );
});

test("a title without letters leaves the name, and so does the title it already follows", () => {
  expect(nameAfterTitle(steps, "http-request", { before: "HTTP request", after: "?!" })).toBeUndefined();
  expect(
    nameAfterTitle(steps, "http-request", { before: "HTTP request", after: "HTTP  Request" }),
  ).toBeUndefined();
});
