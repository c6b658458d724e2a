import { afterAll, expect, test } from "vitest";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import { BOMBS, ESCAPES } from "./testing/hostile-code.ts";
import type { Sandbox } from "./sandbox.ts";
import { createTestSandbox } from "./testing/test-sandbox.ts";

const sandbox = createTestSandbox();
const brief = createTestSandbox({ limits: { timeoutMs: 60, graceMs: 60, memoryMb: 32 } });
afterAll(() => Promise.all([sandbox.close(), brief.close()]));
const { signal } = new AbortController();
const log = () => undefined;
const values = { input: { a: 1 } };

async function outcomeOf(within: Sandbox, source: string, ownerId = "user_a"): Promise<string> {
  try {
    const value: JsonValue = await within.run({
      ownerId,
      source,
      language: "javascript",
      values,
      signal,
      log,
    });
    return JSON.stringify(value);
  } catch (error) {
    return error instanceof AppError ? error.code : `unexpected: ${String(error)}`;
  }
}

test("there are more than a hundred hostile snippets", () => {
  expect(new Set([...ESCAPES.map(([source]) => source), ...BOMBS]).size).toBeGreaterThan(100);
});

test.each(ESCAPES)("[S31] nothing of the host is reachable: %s", async (source, result) => {
  expect(await outcomeOf(sandbox, source)).toBe(result ?? "code_failed");
});

test.each(BOMBS)(
  "[S31] it ends within its limits, and the code of another owner runs: %s",
  async (source) => {
    expect(["limit_reached", "output_too_large", "code_failed"]).toContain(await outcomeOf(brief, source));
    // On a busy machine the next call may need more than its 60 ms.
    await expect.poll(() => outcomeOf(brief, "return input.a", "user_b")).toBe("1");
  },
);
