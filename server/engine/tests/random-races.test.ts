import fc from "fast-check";
import { expect, test } from "vitest";
import type { Edge, Graph, Step } from "../../../contract/graph.ts";
import { AppError } from "../../lib/errors.ts";
import type { StepCall } from "../run/step-runner.ts";
import { openBench } from "../testing/open-engine.ts";

const stepArbitrary = fc.record({
  kind: fc.constantFrom("request", "request", "value"),
  /** Turns of the event loop until a request is answered. */
  turns: fc.nat(12),
  fails: fc.nat(5).map((n) => n === 0),
  continues: fc.boolean(),
  disabled: fc.nat(3).map((n) => n === 0),
  join: fc.constantFrom(undefined, "any", "first", "first"),
  before: fc.array(fc.nat(100), { maxLength: 3 }),
});

const graphArbitrary: fc.Arbitrary<Graph> = fc
  .array(stepArbitrary, { minLength: 2, maxLength: 8 })
  .map((shapes) => {
    const edges: Edge[] = [];
    const steps = shapes.map(({ kind, turns, fails, continues, disabled, join, before }, index): Step => {
      const stepId = `s${index}`;
      const sources = new Set(index === 0 ? [] : before.map((n) => n % index));
      for (const source of sources)
        edges.push({ id: `${source}-${index}`, source: `s${source}`, target: stepId });
      const more = {
        ...(continues ? { onError: "continue" } : {}),
        ...(disabled ? { disabled } : {}),
        ...(join !== undefined && sources.size > 0 ? { join } : {}),
      };
      return kind === "value"
        ? { stepId, type: "transform", template: stepId, ...more }
        : { stepId, type: "http", method: "POST", url: "x", body: { turns, fails }, ...more };
    });
    return { steps, edges };
  });

async function request({ fields, stop }: StepCall) {
  const { turns, fails } = fields["body"] as { turns: number; fails: boolean };
  for (let turn = 0; turn < turns && !stop.aborted; turn++)
    await new Promise((resolve) => setImmediate(resolve));
  if (fails) throw new AppError("http_error", "down");
  return { output: "up" };
}

test("runs of random graphs with races, failures and disabled steps end once, with a journal without gaps", async () => {
  const bench = await openBench({ http: request });
  const engine = await bench.engine();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(graphArbitrary, { minLength: 20, maxLength: 20 }), async (graphs) => {
      const started = await Promise.all(
        graphs.map((graph) =>
          engine.start({ workflow: bench.workflow(`wf${++count}`, graph), trigger: "manual", input: {} }),
        ),
      );
      for (const { taskId } of started) {
        await expect
          .poll(async () => (await bench.store.task(taskId))!.status, { timeout: 10_000 })
          .toMatch(/^(completed|failed)$/);
        const entries = await bench.store.entries(taskId, 0, 1000);
        expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_entry, index) => index + 1));
        expect(entries.filter(({ kind }) => kind === "status")).toEqual([entries.at(-1)]);
        const ended = entries.flatMap((entry) => (entry.kind === "step" ? [entry.path] : []));
        expect(new Set(ended).size).toBe(ended.length);
      }
    }),
    { numRuns: 10 },
  );
}, 60_000);
