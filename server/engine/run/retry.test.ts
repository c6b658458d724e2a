import { describe, expect, test } from "vitest";
import { AppError } from "../../lib/errors.ts";
import { backoffMs, type Failure, failureOf, repairCheckAt, retryAt } from "./retry.ts";

const failure: Failure = {
  error: { code: "http_error", message: "" },
  permanent: false,
  retryAfterMs: undefined,
  extra: null,
};
const hour = 3_600_000;

describe("retries", () => {
  test("wait 1 s, 2 s, 4 s … and never more than an hour", () => {
    expect([1, 2, 3, 4].map((attempt) => backoffMs(attempt, 2))).toEqual([1000, 2000, 4000, 8000]);
    expect([1, 2, 3].map((attempt) => backoffMs(attempt, 1))).toEqual([1000, 1000, 1000]);
    expect(backoffMs(100, 10)).toBe(hour);
  });

  test("are as many as maxRetries allows", () => {
    const policy = { maxRetries: 2, backoffMultiplier: 3 };
    expect(retryAt(5, 1, failure, policy)).toBe(1005);
    expect(retryAt(5, 2, failure, policy)).toBe(3005);
    expect(retryAt(5, 3, failure, policy)).toBeUndefined();
    expect(retryAt(5, 1, failure, { maxRetries: 0, backoffMultiplier: 2 })).toBeUndefined();
  });

  test("are due at a whole millisecond", () => {
    const policy = { maxRetries: 9, backoffMultiplier: 1.5 };
    expect(retryAt(0, 5, failure, policy)).toBe(5063);
    expect(retryAt(0, 1, { ...failure, retryAfterMs: 1500.2 }, policy)).toBe(1501);
  });

  test("are not made after a permanent failure", () => {
    expect(
      retryAt(0, 1, { ...failure, permanent: true }, { maxRetries: 9, backoffMultiplier: 2 }),
    ).toBeUndefined();
  });

  test("honour the pause that the remote side asked for, up to an hour", () => {
    const policy = { maxRetries: 1, backoffMultiplier: 2 };
    expect(retryAt(0, 1, { ...failure, retryAfterMs: 30_000 }, policy)).toBe(30_000);
    expect(retryAt(0, 1, { ...failure, retryAfterMs: 10 }, policy)).toBe(1000);
    expect(retryAt(0, 1, { ...failure, retryAfterMs: 9 * hour }, policy)).toBe(hour);
  });
});

describe("a thrown error", () => {
  test("keeps the code, the requested pause and the extra fields", () => {
    const thrown = new AppError("http_error", "429", {
      retryAfterMs: 5,
      stepExtra: { response: 1 },
    });
    expect(failureOf(thrown)).toEqual({
      error: { code: "http_error", message: "429" },
      permanent: false,
      retryAfterMs: 5,
      extra: { response: 1 },
    });
  });

  test("is permanent when the error or its code says so", () => {
    expect(failureOf(new AppError("http_error", "", { permanent: true })).permanent).toBe(true);
    expect(failureOf(new AppError("egress_denied", "")).permanent).toBe(true);
    expect(failureOf(new AppError("http_error", ""))).toEqual({ ...failure });
  });

  test("becomes step_failed when it is not an AppError", () => {
    expect(failureOf(new TypeError("x of undefined")).error).toEqual({
      code: "step_failed",
      message: "The step failed unexpectedly: x of undefined",
    });
    expect(failureOf(new RangeError("too deep")).error.message).toBe("too deep");
    expect(failureOf("text").error.message).toContain("text");
  });
});

test("a refused connection is tried hourly for a day, any other failure not at all", () => {
  const hour = 3_600_000;
  const refused = failureOf(new AppError("connection_authorization_required", "Reconnect it."));
  expect(repairCheckAt(10, 0, refused)).toBe(10 + hour);
  expect(repairCheckAt(23.5 * hour, 0, refused)).toBe(24 * hour);
  expect(repairCheckAt(24 * hour, 0, refused)).toBeUndefined();
  expect(repairCheckAt(10, 0, failureOf(new AppError("http_error", "503")))).toBeUndefined();
});
