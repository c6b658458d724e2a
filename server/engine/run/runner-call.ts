import type { LogLevel } from "../../../contract/step-log.ts";
import { createRedactor } from "../../security/redact.ts";
import type { StreamRedactor } from "../../security/redact-stream.ts";
import type { CompiledStep } from "../graph/compiled-graph.ts";
import { RunDropped } from "../journal/recorder.ts";
import type { LargeHold } from "./large-values.ts";
import type { Prepared, Run } from "./run.ts";
import { createStepLog, type RunningStep } from "./step-log.ts";
import type { StepCall } from "./step-runner.ts";
import type { Stop } from "./stop.ts";

const NO_SECRETS: StepCall["secrets"] = Object.freeze({});

/** One execution of a step by its runner. */
export interface StepExecution {
  run: Run;
  step: CompiledStep;
  path: string;
  running: RunningStep;
  prepared: Prepared;
  hold: LargeHold;
  /** Sent to receivers, which recognize a repeated request by it. */
  idempotencyKey: string;
}

/**
 * What a runner gets of one execution. A class, because V8 makes a hash table of an object literal with a getter: 5 kB a
 * step. Functions are fields, so that runners may pass them on.
 */
export class RunnerCall implements StepCall {
  readonly ownerId: string;
  readonly taskId: string;
  readonly rootTaskId: string;
  readonly workflowId: string;
  readonly conversation: string | undefined;
  readonly path: string;
  readonly fields: StepCall["fields"];
  readonly attempt: number;
  readonly idempotencyKey: string;
  readonly answeredFailures: number;
  readonly scope: StepCall["scope"];
  readonly secrets: StepCall["secrets"];
  readonly depth: number;
  readonly timeoutMs: number | undefined;
  readonly stop: Stop;
  /** True when the process has lost the task before the effect. */
  isDropped = false;
  readonly redact: StepCall["redact"];
  readonly redactStream: StepCall["redactStream"];
  readonly log: StepCall["log"];
  readonly assertLease: StepCall["assertLease"];
  readonly holdLargeValue: StepCall["holdLargeValue"];
  readonly lendSlot: StepCall["lendSlot"];

  constructor({ run, step, path, running, prepared, hold, idempotencyKey }: StepExecution, stop: Stop) {
    const { task, deps } = run;
    const { attempts, answeredFailures } = run.memoryOf(path);
    this.ownerId = task.ownerId;
    this.taskId = task.id;
    this.rootTaskId = task.rootTaskId ?? task.id;
    this.workflowId = task.workflowId;
    this.conversation = task.options?.conversation;
    this.path = path;
    this.fields = prepared.fields;
    this.attempt = attempts + 1;
    this.idempotencyKey = idempotencyKey;
    this.answeredFailures = answeredFailures;
    this.scope = prepared.scope;
    this.secrets = step.listedSecrets.length === 0 ? NO_SECRETS : pickSecrets(run, step.listedSecrets);
    this.depth = task.depth;
    this.timeoutMs = step.timeoutMs;
    this.stop = stop;
    this.redact = (value) =>
      run.redactor === undefined ? Promise.resolve(value) : run.redactor.valueInTurns(value);
    this.redactStream = (): StreamRedactor => (run.redactor ?? createRedactor([])).stream();
    this.log = (level: LogLevel, message: string) => {
      running.log ??= createStepLog((text) => run.redactor?.text(text) ?? text);
      const line = running.log.write(deps.clock.now(), level, message);
      if (line !== undefined) deps.logged(task, path, step.type, line);
    };
    this.assertLease = () => {
      if (!run.stop.aborted && deps.holdsLease()) return;
      this.isDropped = true;
      throw new RunDropped();
    };
    this.holdLargeValue = (signal) => hold.take(signal);
    this.lendSlot = () => deps.lendSlot(task);
  }

  get signal(): AbortSignal {
    return this.stop.signal;
  }
}

function pickSecrets({ secrets }: Run, names: readonly string[]): StepCall["secrets"] {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(secrets, name) ? [[name, secrets[name]!]] : [])),
  );
}
