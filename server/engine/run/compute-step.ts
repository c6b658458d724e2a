import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { pathUnder } from "../../../contract/step-path.ts";
import type { CompiledStep } from "../graph/compiled-graph.ts";
import { type StepEntry, UNNUMBERED } from "../journal/journal-entry.ts";
import { ROW_LIMIT_CHARACTERS } from "../journal/outputs.ts";
import { withinBudgets } from "./output-budget.ts";
import type { Run, RunScope } from "./run.ts";
import { redacted, redactedInput } from "./settle-step.ts";
import { prepareFieldsNow } from "./step-fields.ts";

export interface Computed {
  /** Redacted, as later steps see it. */
  output: JsonValue;
  outputSize: number;
  /** Its `final` is decided when the step is settled. */
  entry: StepEntry;
}

/**
 * Executes a pure step in one function call. The general way is nine async functions a step; without them a call of three
 * steps takes about 5 % less CPU time (docs/reference/performance-changes.md). Returns undefined, without any trace, when something is unusual: a value has to be loaded or is large, the
 * step retries, fails or may not start. The caller then executes it like any other step; a pure step may be computed twice.
 */
export function computeStep(run: Run, scope: RunScope, step: CompiledStep): Computed | undefined {
  const compute = run.deps.runners.get(step.type)?.compute;
  // A traced step has a span.
  if (compute === undefined || run.trace !== undefined) return undefined;
  const path = pathUnder(scope.prefix, step.id);
  const memory = run.memoryOf(path);
  if (memory.waiting !== undefined || memory.attempts > 0) return undefined;
  if (run.stop.aborted || scope.stop.aborted || run.isDraining || !run.deps.holdsLease()) return undefined;
  const now = run.deps.clock.now();
  try {
    const prepared = prepareFieldsNow(run, scope, step);
    if (prepared === undefined || prepared.size > ROW_LIMIT_CHARACTERS) return undefined;
    const computed = compute(prepared.fields);
    const size = run.deps.budgets.measure(computed, ROW_LIMIT_CHARACTERS);
    if (size > ROW_LIMIT_CHARACTERS) return undefined;
    const output = redacted(run, computed);
    const json = JSON.stringify(output);
    const input = redactedInput(run, prepared.fields);
    if (json.length > ROW_LIMIT_CHARACTERS) return undefined;
    const { outcome, outputSize } = withinBudgets(
      run,
      { kind: "completed", output: computed },
      prepared.size,
    );
    if (outcome.kind !== "completed") return undefined;
    run.deps.began(run.task, path, step.type);
    return {
      output,
      outputSize,
      entry: {
        seq: UNNUMBERED,
        kind: "step",
        path,
        type: step.type,
        status: "completed",
        attempt: 1,
        final: false,
        input,
        output: json,
        outputRef: null,
        error: null,
        extra: null,
        startedAt: memory.startedAt ?? now,
        at: now,
      },
    };
  } catch {
    return undefined;
  }
}
