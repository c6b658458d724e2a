import { expect, test } from "vitest";
import { API_ERRORS, isPermanentError, knownErrorCode, statusOfError } from "./errors.ts";

test("every code of the API has an error status", () => {
  for (const { status } of Object.values(API_ERRORS)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
  }
});

test("a missing resource is 404, and codes that are not part of the API are 500", () => {
  expect(statusOfError("workflow_not_found")).toBe(404);
  expect(statusOfError("step_timeout")).toBe(500);
  expect(statusOfError("invalid_config")).toBe(500);
});

test("only codes marked as permanent are permanent", () => {
  expect(
    ["egress_denied", "rejected", "invalid_field"].map((code) => isPermanentError(knownErrorCode(code))),
  ).toEqual([true, true, true]);
  expect(isPermanentError("http_error")).toBe(false);
});

test("a stored code that is in no table is an internal error", () => {
  expect(knownErrorCode("no_text")).toBe("no_text");
  expect(knownErrorCode("document_not_found")).toBe("document_not_found");
  expect(knownErrorCode("made_up")).toBe("internal_error");
  expect(knownErrorCode("constructor")).toBe("internal_error");
});
