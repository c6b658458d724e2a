import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { problemSchema } from "../graph.ts";
import { edge, loop, say } from "./testing/sample-steps.ts";
import { validateGraph } from "./validate.ts";

describe("hostile graphs", () => {
  test("[S28] any JSON value results in problems of the known shape", () => {
    const known = fc.constantFrom(
      "stepId",
      "type",
      "template",
      "url",
      "items",
      "steps",
      "edges",
      "id",
      "source",
      "target",
      "condition",
      "__proto__",
    );
    const values = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom("a", "b", "foreach", "http", "transform", "{{steps.a.output}}"),
    );
    const things = fc.array(fc.oneof(fc.jsonValue(), fc.dictionary(known, values)), { maxLength: 6 });
    fc.assert(
      fc.property(fc.oneof(things, fc.jsonValue()), fc.oneof(things, fc.jsonValue()), (steps, edges) => {
        const result = validateGraph({ steps, edges });
        for (const problem of [...result.errors, ...result.warnings]) problemSchema.parse(problem);
        expect(result.valid).toBe(result.errors.length === 0);
      }),
      { numRuns: 1000 },
    );
  });

  test.each(["a\0b", "a\ud800", "\udc00a"])(
    "[S28] a step id that a database cannot store is rejected: %j",
    (stepId) => {
      expect(validateGraph({ steps: [say(stepId)] }).errors).toMatchObject([{ code: "invalid_field" }]);
    },
  );

  test("[S28] a field nested ten thousand deep is an invalid field", () => {
    const deep = JSON.parse(`${"[".repeat(10_000)}${"]".repeat(10_000)}`) as unknown;
    expect(validateGraph({ steps: [say("a", deep)] }).errors).toMatchObject([
      { code: "invalid_field", stepId: "a" },
    ]);
  });

  test("loops nested more than twenty deep are rejected", () => {
    let steps: unknown[] = [say("core")];
    for (let level = 0; level < 3000; level++)
      steps = [{ stepId: `l${level}`, type: "foreach", items: [], steps }];
    expect(validateGraph({ steps }).errors).toMatchObject([{ code: "invalid_field", stepId: "l2979" }]);
  });

  test("a chain of ten thousand steps that refer to the previous and to the first step is valid", () => {
    const steps = Array.from({ length: 10_000 }, (_, i) =>
      say(`s${i}`, i === 0 ? "x" : [`{{steps.s${i - 1}.output}}`, "{{steps.s0.output}}"]),
    );
    const edges = steps.slice(1).map((step, i) => edge(`s${i}`, step.stepId));
    expect(validateGraph({ steps, edges })).toEqual({ valid: true, errors: [], warnings: [] });
    expect(validateGraph({ steps, edges: [...edges, edge("s9999", "s0")] }).errors).toMatchObject([
      { code: "cycle" },
    ]);
  });

  test("more than 10,000 placeholders in a step are refused, and the rest of them is not read", () => {
    const steps = (count: number) => [
      { stepId: "a", type: "transform", template: ["{{input.n}}".repeat(count), "{{steps.b.output}}"] },
    ];
    const unknown = { code: "unknown_reference" };
    expect(validateGraph({ steps: steps(9999) }).errors).toMatchObject([unknown]);
    const tooMany = { code: "invalid_field", message: expect.stringContaining("10000 placeholders") };
    expect(validateGraph({ steps: steps(10_000) }).errors).toMatchObject([tooMany, unknown]);
    expect(validateGraph({ steps: steps(10_001) }).errors).toMatchObject([tooMany]);
    const left = "{{item.n}}".repeat(10_001);
    const repeat = { stepId: "a", type: "while", left, operator: "exists", steps: [say("b")] };
    expect(validateGraph({ steps: [repeat] }).errors).toMatchObject([tooMany]);
  });

  test("too many steps are rejected, steps inside loops included", () => {
    expect(validateGraph({ steps: [say("a"), say("b"), say("c")] }, { maxSteps: 2 }).errors).toMatchObject([
      { code: "invalid_field", message: expect.stringContaining("at most 2 steps") },
    ]);
    expect(validateGraph({ steps: [loop([say("a"), say("b")])] }, { maxSteps: 2 }).valid).toBe(false);
  });

  test("a thousand problems are shown and the rest are counted", () => {
    const { errors: found } = validateGraph({ steps: Array.from({ length: 5000 }, () => 0) });
    expect(found).toHaveLength(1001);
    expect(found[1000]?.message).toContain("4000 more");
  });
});
