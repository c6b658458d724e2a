import { pathUnder } from "../../../contract/step-path.ts";
import type { LogLine } from "../../../contract/step-log.ts";
import { createDeadline, type Deadline } from "../../lib/deadline.ts";
import { AppError } from "../../lib/errors.ts";
import type { CompiledStep } from "../graph/compiled-graph.ts";
import { approval } from "./control/approval.ts";
import type { ControlStep, Prepared, Run, RunIteration, RunScope } from "./run.ts";
import { delay } from "./control/delay.ts";
import { foreach } from "./control/foreach.ts";
import { waitEvent } from "./control/wait-event.ts";
import { whileLoop } from "./control/while.ts";
import { subWorkflow } from "./control/sub-workflow.ts";
import type { LargeHold } from "./large-values.ts";
import type { Outcome } from "./outcome.ts";
import { withinBudgets } from "./output-budget.ts";
import type { StepMemory } from "../journal/fold.ts";
import { RunDropped } from "../journal/recorder.ts";
import { failureOf } from "./retry.ts";
import { RunnerCall, type StepExecution } from "./runner-call.ts";
import { prepareFields, prepareFieldsNow } from "./step-fields.ts";
import type { RunningStep } from "./step-log.ts";
import type { StepOutput } from "./step-runner.ts";
import type { Stop } from "./stop.ts";

const controls: Readonly<Record<string, ControlStep>> = {
  approval,
  delay,
  foreach,
  wait_event: waitEvent,
  while: whileLoop,
  workflow: subWorkflow,
};

/** The time limit of a step that sets none: no step hangs forever. */
const DEFAULT_TIMEOUT_MS = 600_000;

export interface Execution {
  outcome: Outcome;
  /** The rendered fields; undefined when rendering failed. */
  input: Record<string, unknown> | undefined;
  inputSize: number;
  outputSize: number;
  startedAt: number;
  /** The log lines of this attempt, if it wrote any. */
  logs: readonly LogLine[] | undefined;
}

/** Executes a step once: renders its fields, runs it, returns the outcome. The caller records it. */
export async function executeStep(
  run: Run,
  scope: RunScope,
  step: CompiledStep,
  hold: LargeHold,
  runIteration: RunIteration,
): Promise<Execution> {
  const path = pathUnder(scope.prefix, step.id);
  const memory = run.memoryOf(path);
  const startedAt = memory.startedAt ?? run.deps.clock.now();
  const retryAt = pendingRetry(run, path, memory);
  if (retryAt !== undefined) {
    const outcome = { kind: "waiting", due: retryAt } as const;
    return { outcome, input: undefined, inputSize: 0, outputSize: 0, startedAt, logs: undefined };
  }
  // Journal first: all results that led here are durable before an effect that cannot be undone.
  const flushed = step.pure ? undefined : run.flush();
  if (flushed !== undefined) await flushed;
  let prepared: Prepared | undefined;
  const running: RunningStep = { type: step.type, startedAt, log: undefined };
  try {
    // A loop that resumes does not render its list again, which may have ten thousand items.
    prepared =
      run.loops.get(path)?.prepared ??
      prepareFieldsNow(run, scope, step) ??
      (await prepareFields(run, scope, step));
    assertMayStart(run, scope);
    run.running.set(path, running);
    run.deps.began(run.task, path, step.type);
    const idempotencyKey = `${run.task.id}:${path}`;
    const execution: StepExecution = { run, step, path, running, prepared, hold, idempotencyKey };
    const control = controls[step.type] ?? run.deps.controls?.[step.type];
    const outcome =
      control === undefined
        ? completed(await runStep(execution, scope.stop))
        : await runControl(control, execution, scope, runIteration);
    const begun = run.loops.get(path);
    if (begun !== undefined) begun.prepared = prepared;
    const logs = endLog(run, running);
    const inputSize = prepared.size;
    const counted = withinBudgets(run, outcome, inputSize);
    // Field by field: a spread was 2 % of a call.
    return {
      outcome: counted.outcome,
      outputSize: counted.outputSize,
      input: prepared.fields,
      inputSize,
      startedAt,
      logs,
    };
  } catch (error) {
    if (error instanceof RunDropped || run.stop.aborted) throw new RunDropped();
    // The database is unreachable. The step has not failed; it is resumed when the database responds again.
    if (error instanceof AppError && error.code === "storage_unavailable") throw error;
    return {
      outcome: { kind: "failed", failure: failureOf(error) },
      input: prepared?.fields,
      inputSize: prepared?.size ?? 0,
      outputSize: 0,
      startedAt,
      logs: endLog(run, running),
    };
  } finally {
    run.running.delete(path);
  }
}

/** When the next attempt is due; undefined when the step may start now. */
function pendingRetry(run: Run, path: string, { waiting }: StepMemory): number | undefined {
  if (waiting?.kind !== "attempt" || waiting.due === null) return undefined;
  const isDue = waiting.due <= run.deps.clock.now() || run.isRetryRequested(path);
  return isDue ? undefined : waiting.due;
}

/** Called right before the effect: the waits before it may have outlasted the lease. */
function assertMayStart(run: Run, scope: RunScope): void {
  if (run.stop.aborted || run.isDraining || !run.deps.holdsLease()) throw new RunDropped();
  // A loop that timed out, or a branch that lost its race, starts no further step.
  if (scope.stop.aborted) throw scope.stop.signal.reason;
}

function runControl(
  control: ControlStep,
  execution: StepExecution,
  scope: RunScope,
  runIteration: RunIteration,
): Promise<Outcome> {
  const { run, step, path, running, prepared, hold } = execution;
  return control({
    run,
    scope,
    step,
    path,
    memory: run.memoryOf(path),
    fields: prepared.fields,
    hold,
    startedAt: running.startedAt,
    runIteration,
    runEffect(type, fields, idempotencyKey) {
      const effect = { ...step, type, pure: false, timeoutMs: undefined };
      const input = { fields, scope: prepared.scope, size: 0 };
      return runStep({ ...execution, step: effect, prepared: input, idempotencyKey }, scope.stop);
    },
  });
}

/** The lines count as recorded bytes of the task, so that a long loop cannot store gigabytes of them. */
function endLog(run: Run, { log }: RunningStep): readonly LogLine[] | undefined {
  if (log === undefined) return undefined;
  log.end(run.deps.clock.now());
  run.recordedBytes += log.bytes;
  return log.lines;
}

function completed({ output, extra }: StepOutput): Outcome {
  return { kind: "completed", output, extra };
}

async function runStep(execution: StepExecution, stop: Stop): Promise<StepOutput> {
  const { run, step } = execution;
  const runner = run.deps.runners.get(step.type);
  if (runner === undefined) {
    throw new AppError("unknown_step_type", `This service has no step of type ${step.type}.`);
  }
  if (step.pure) return runner.run(new RunnerCall(execution, stop));
  const deadline = createStepDeadline(stop, step.timeoutMs);
  const call = new RunnerCall(execution, deadline);
  try {
    // Raced, so that cancelling never waits for a runner that ignores its signal.
    return await deadline.race(runner.run(call));
  } catch (error) {
    // A runner may wrap the error, or turn the abort into its own: the reason of the abort is the cause.
    if (call.isDropped) throw new RunDropped();
    throw deadline.aborted && deadline.reason instanceof AppError ? deadline.reason : error;
  } finally {
    deadline.clear();
  }
}

function createStepDeadline(outer: Stop, timeoutMs = DEFAULT_TIMEOUT_MS): Deadline {
  return createDeadline(timeoutMs, {
    outer,
    reason: () => new AppError("step_timeout", `The step took longer than ${timeoutMs} ms.`),
  });
}
