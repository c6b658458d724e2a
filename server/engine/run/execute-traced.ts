import { pathUnder } from "../../../contract/step-path.ts";
import type { CompiledStep } from "../graph/compiled-graph.ts";
import type { StepOutcome } from "../run-tracing.ts";
import { executeStep, type Execution } from "./execute-step.ts";
import type { LargeHold } from "./large-values.ts";
import type { Run, RunIteration, RunScope } from "./run.ts";

/** Executes a step, in a span while tracing is on. */
export function executeTraced(
  run: Run,
  scope: RunScope,
  step: CompiledStep,
  hold: LargeHold,
  runIteration: RunIteration,
): Promise<Execution> {
  if (run.trace === undefined) return executeStep(run, scope, step, hold, runIteration);
  const { redactor } = run;
  const path = pathUnder(scope.prefix, step.id);
  const { attempts, since } = run.memoryOf(path);
  const traced = {
    path,
    type: step.type,
    prefix: scope.prefix,
    attempt: attempts + 1,
    since,
    redact: redactor && ((text: string) => redactor.text(text)),
    attemptOf: (loopPath: string) => run.memoryOf(loopPath).attempts + 1,
  };
  return run.trace.step(traced, () => executeStep(run, scope, step, hold, runIteration), outcomeOf);
}

function outcomeOf({ outcome, startedAt }: Execution): StepOutcome {
  const code = outcome.kind === "failed" ? outcome.failure.error.code : undefined;
  return { kind: outcome.kind, code, startedAt };
}
