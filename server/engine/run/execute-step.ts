import { pathUnder } from "../../../contract/step-path.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { createDeadline } from "../../lib/deadline.ts";
import { AppError } from "../../lib/errors.ts";
import type { CompiledStep } from "../graph/compiled-graph.ts";
import { approval } from "./control/approval.ts";
import type { ControlStep, Run, RunRound, RunScope } from "./run.ts";
import { delay } from "./control/delay.ts";
import { foreach } from "./control/foreach.ts";
import { subWorkflow } from "./control/sub-workflow.ts";
import type { Outcome } from "./outcome.ts";
import { failureOf } from "./retry.ts";
import { Dropped } from "../journal/recorder.ts";
import { prepareFields, type Prepared } from "./step-fields.ts";
import type { StepCall, StepOutput, StepRunner } from "./step-runner.ts";
import type { Stop } from "./stop.ts";

const controls: Readonly<Record<string, ControlStep>> = { approval, delay, foreach, workflow: subWorkflow };

/** A step without a limit of its own ends after this long; nothing hangs for ever. */
const DEFAULT_TIMEOUT_MS = 600_000;

export interface Execution {
  outcome: Outcome;
  /** The fields the step worked with, when it got that far. */
  input: Record<string, unknown> | undefined;
  startedAt: number;
}

/** One execution of one step: fill in its fields, do it, say what it came to. Nothing is recorded here. */
export async function executeStep(
  run: Run,
  scope: RunScope,
  step: CompiledStep,
  runRound: RunRound,
): Promise<Execution> {
  const path = pathUnder(scope.prefix, step.id);
  const memory = run.memoryOf(path);
  const startedAt = memory.startedAt ?? run.deps.clock.now();
  const { waiting } = memory;
  if (waiting?.kind === "attempt" && waiting.due !== null && waiting.due > run.deps.clock.now()) {
    return { outcome: { kind: "waiting", due: waiting.due }, input: undefined, startedAt };
  }
  // The journal before the effect: what led here is on disk before anything is done that cannot be undone.
  if (!step.instant) await run.flush();
  let prepared: Prepared | undefined;
  try {
    prepared = await prepareFields(run, scope, step);
    // Right before the effect: whatever was waited for until here may have taken longer than the lease.
    if (!run.deps.holdsLease()) throw new Dropped();
    run.running.set(path, { type: step.type, startedAt });
    run.deps.began(run.task, path, step.type);
    const control = controls[step.type] ?? run.deps.controls?.[step.type];
    const outcome =
      control === undefined
        ? completed(await runStep(run, scope.stop, step, path, prepared))
        : await control({ run, scope, step, path, memory, fields: prepared.fields, startedAt, runRound });
    return { outcome, input: prepared.fields, startedAt };
  } catch (error) {
    if (error instanceof Dropped || run.stop.aborted) throw new Dropped();
    // The database did not answer us: no fault of the step's, which is taken up again when it does.
    if (error instanceof AppError && error.code === "storage_unavailable") throw error;
    return { outcome: { kind: "failed", failure: failureOf(error) }, input: prepared?.fields, startedAt };
  } finally {
    run.running.delete(path);
  }
}

function completed({ output, extra }: StepOutput): Outcome {
  return { kind: "completed", output, extra };
}

async function runStep(
  run: Run,
  stop: Stop,
  step: CompiledStep,
  path: string,
  { fields, scope }: Prepared,
): Promise<StepOutput> {
  const runner = run.deps.runners.get(step.type);
  if (runner === undefined) {
    throw new AppError("unknown_step_type", `This service has no step of type ${step.type}.`);
  }
  const call: StepCall = {
    ownerId: run.task.ownerId,
    taskId: run.task.id,
    workflowId: run.task.workflowId,
    path,
    fields,
    attempt: run.memoryOf(path).attempts + 1,
    idempotencyKey: `${run.task.id}:${path}`,
    scope,
    strikeOut: (value: JsonValue) =>
      run.redactor === undefined ? value : (run.redactor.value(value) as JsonValue),
    depth: run.task.depth,
    timeoutMs: step.timeoutMs,
    get signal() {
      return stop.signal;
    },
  };
  return step.instant ? runner.run(call) : runLimited(stop.signal, runner, call);
}

/** Whatever the runner does with the signal, the step ends when it is aborted: cancelling never waits for a runner. */
async function runLimited(
  outer: AbortSignal,
  runner: StepRunner,
  call: Omit<StepCall, "signal">,
): Promise<StepOutput> {
  const timeoutMs = call.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const deadline = createDeadline(timeoutMs, {
    outer,
    reason: () => new AppError("step_timeout", `The step took longer than ${timeoutMs} ms.`),
  });
  const { signal } = deadline;
  try {
    return await deadline.race(runner.run({ ...call, signal }));
  } catch (error) {
    // A runner may answer the abort with an error of its own; the reason is what counts.
    if (signal.aborted && signal.reason instanceof AppError) throw signal.reason;
    throw error;
  } finally {
    deadline.clear();
  }
}
