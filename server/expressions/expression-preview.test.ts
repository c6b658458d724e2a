import { afterAll, expect, test } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { createTestSandbox } from "../sandbox/testing/test-sandbox.ts";
import { createExpressionPreview } from "./expression-preview.ts";

const sandbox = createTestSandbox({ limits: { timeoutMs: 200 } });
afterAll(() => sandbox.close());
const preview = createExpressionPreview({ evaluate: sandbox.evaluate, clock: systemClock });
const evaluate = (source: string) =>
  preview("user_1", { expressions: [source], values: { input: { n: 2 } } }, new AbortController().signal);

test("an expression that fails or reaches a limit of the sandbox is a result that says why", async () => {
  expect(await evaluate("input.n + 1")).toEqual({ values: [3], error: null });
  expect(await evaluate("input.a.b")).toMatchObject({ values: null, error: { code: "expression_failed" } });
  expect(await evaluate("(() => { for (;;); })()")).toMatchObject({
    values: null,
    error: { code: "limit_reached" },
  });
});
