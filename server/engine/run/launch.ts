import { createRedactor } from "../../security/redact.ts";
import type { OptimisticStart } from "../worker/optimistic-start.ts";
import type { CompiledGraph } from "../graph/compiled-graph.ts";
import type { RunnableWorkflow } from "../engine-api.ts";
import { fold, type Memory, WHOLE_TASK } from "../journal/fold.ts";
import { LONGEST_TIMER_MS } from "../../lib/deadline.ts";
import { AppError } from "../../lib/errors.ts";
import type { EntryHead } from "../journal/journal-entry.ts";
import type { FinishedRun, LiveRun } from "../worker/live-runs.ts";
import { createOutputs, sizeOfRef } from "../journal/outputs.ts";
import { RunDropped } from "../journal/recorder.ts";
import { retryWhileStorageUnavailable } from "../journal/retry-while-storage-unavailable.ts";
import { createRun } from "./create-run.ts";
import { finishedRun } from "./finished-run.ts";
import type { LoopProgress, ParkedState, Run, RunDeps } from "./run.ts";
import { runTask } from "./run-task.ts";
import type { RunTracing } from "../run-tracing.ts";
import type { EngineTask } from "../tasks/engine-task.ts";
import { type FinalStatus, isFinal } from "../tasks/task.ts";

export interface Launch {
  task: EngineTask;
  live: LiveRun;
  workflow: RunnableWorkflow;
  graph: CompiledGraph;
  /** The state of the run when it parked in this process, if it is known. */
  parked?: ParkedState | undefined;
  /** The entries recorded so far, or since it parked; empty for a task that has just been accepted. */
  heads: readonly EntryHead[];
  /** Set for a task that starts before it is stored. */
  optimisticStart: OptimisticStart | undefined;
  tracing: RunTracing | undefined;
}

/** Restores a run from its rows, decrypts its secrets and runs it. */
export async function launch(
  { task, live, workflow, graph, parked, heads, optimisticStart, tracing }: Launch,
  deps: RunDeps,
): Promise<{ end: "ended" | "parked"; finished: FinishedRun | undefined; state: ParkedState }> {
  const secrets = graph.secrets.length > 0 ? await deps.vault.secrets(task.ownerId, graph.secrets) : {};
  deps.budgets.checkSecrets(secrets);
  // Memory may drop a buffered output before it is written: a read must see it in the journal.
  // It waits for the database: a step whose effect has happened may need it for the record of the task's end.
  const recordedOutputs: RunDeps["store"]["outputs"] = async (taskId, paths) => {
    await run.flush();
    return retryWhileStorageUnavailable(() => deps.store.outputs(taskId, paths), live.abort);
  };
  // A blob is an effect: pruning would never find the blob of a task that is not stored.
  const blobs: RunDeps["blobs"] = {
    ...deps.blobs,
    async put(key, text) {
      await run.flush();
      return deps.blobs.put(key, text);
    },
  };
  const memory = fold(heads, parked?.memory);
  const deadline = deadlineOf(task, memory);
  if (deadline !== null && deadline <= deps.clock.now()) throw runTimeout(task);
  const trace = tracing?.open(task, {
    rerunAt: memory.get(WHOLE_TASK)?.since ?? 0,
    isFresh: optimisticStart !== undefined,
  });
  let fault: Error | undefined;
  const run = createRun({
    task,
    workflow,
    graph,
    deps: optimisticStart === undefined ? deps : { ...deps, blobs },
    memory,
    deadline,
    // A rerun or another process may have undone what the loops have completed.
    loops: (heads.length === 0 ? parked?.loops : undefined) ?? new Map<string, LoopProgress>(),
    outputs: createOutputs(task.id, { outputs: recordedOutputs }, deps.blobs, deps.largeOutputs),
    redactor: graph.secrets.length > 0 ? createRedactor(Object.values(secrets)) : undefined,
    secrets,
    stop: live.abort,
    lastSeq: heads.at(-1)?.seq ?? parked?.lastSeq ?? 0,
    recordedBytes: heads.reduce((sum, head) => sum + recordedBytesOf(head), parked?.recordedBytes ?? 0),
    optimisticStart,
    trace,
    onFault(error) {
      fault = error;
      live.abort.abort();
    },
  });
  live.running = () => run.running;
  live.requestRetry = (request) => {
    run.requestRetry(request);
    live.wake();
  };
  live.wake = () => {
    for (const pool of run.pools) pool.wake();
  };
  const timer = startTimer(deadline, deps.clock.now(), () => {
    fault = runTimeout(task);
    live.abort.abort();
  });
  try {
    const end = await (trace === undefined ? runTask(run) : trace.run(() => runTask(run)));
    if (end === "ended") endTrace(run);
    const { loops, recordedBytes } = run;
    return {
      end,
      finished: finishedRun(run),
      state: { memory, loops, recordedBytes, lastSeq: run.lastSeq() },
    };
  } catch (error) {
    const reason = fault ?? (live.abort.aborted ? new RunDropped() : error);
    // A branch still in flight must not continue while the task runs again.
    live.abort.abort();
    await run.idle();
    throw reason;
  } finally {
    clearTimeout(timer);
    run.outputs.forgetLarge();
  }
}

/** A rerun has the whole time again. */
function deadlineOf({ options, startedAt, createdAt }: EngineTask, memory: Memory): number | null {
  if (options?.timeoutMs === undefined) return null;
  return Math.max(startedAt ?? createdAt, memory.get(WHOLE_TASK)?.since ?? 0) + options.timeoutMs;
}

/** None beyond the longest timer: a run that takes longer parks or is resumed in between. */
function startTimer(deadline: number | null, now: number, onEnd: () => void): NodeJS.Timeout | undefined {
  return deadline === null || deadline - now > LONGEST_TIMER_MS
    ? undefined
    : setTimeout(onEnd, deadline - now);
}

function runTimeout({ options }: EngineTask): AppError {
  return new AppError(
    "run_timeout",
    `The run took longer than its time limit of ${options?.timeoutMs} ms. Raise the limit in the settings of the workflow, or make its steps faster.`,
  );
}

function recordedBytesOf(head: EntryHead): number {
  if (head.kind !== "step") return 0;
  const { output, outputRef, bytes = output?.length ?? 0 } = head;
  return outputRef === null ? bytes : bytes + (sizeOfRef(outputRef) ?? 0);
}

function endTrace({ trace, closing }: Run): void {
  if (closing !== undefined && isFinal(closing.status))
    trace?.end(closing.status as FinalStatus, closing.error?.code);
}
