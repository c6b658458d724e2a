import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { ROOT_PREFIX } from "../../../contract/step-path.ts";
import type { CompiledGraph } from "../graph/compiled-graph.ts";
import { createProgress } from "../graph/progress.ts";
import { apply, blankMemory } from "../journal/fold.ts";
import { createRecorder, type Recorder, type RecorderDeps } from "../journal/recorder.ts";
import type { OptimisticStart } from "../worker/optimistic-start.ts";
import { finishedRun } from "./finished-run.ts";
import type { Run, RunScope } from "./run.ts";
import type { Stop } from "./stop.ts";

/** Callers of a task that ends in this process get its entries from memory, up to this many. */
const MAX_KEPT_ENTRIES = 100;

export function createScope(
  graph: CompiledGraph,
  stop: Stop,
  iteration?: { prefix: string; parent: RunScope; item: JsonValue; index: number },
): RunScope {
  return {
    prefix: iteration?.prefix ?? ROOT_PREFIX,
    stop,
    graph,
    progress: createProgress(graph),
    parent: iteration?.parent,
    item: iteration?.item,
    index: iteration?.index,
    openReaders: new Map([...graph.readers].map(([id, readers]) => [id, readers.length])),
  };
}

export interface RunInit extends Omit<
  Run,
  | keyof Recorder
  | "memoryOf"
  | "requestRetry"
  | "isRetryRequested"
  | "pools"
  | "running"
  | "isDraining"
  | "entries"
  | "closing"
> {
  lastSeq: number;
  optimisticStart: OptimisticStart | undefined;
  onFault: RecorderDeps["onFault"];
}

export function createRun({ lastSeq, optimisticStart, onFault, ...init }: RunInit): Run {
  const { task, workflow, graph, memory, loops, deps, outputs, redactor, secrets, stop } = init;
  const {
    record,
    buffer,
    flush,
    idle,
    lastSeq: lastRecorded,
  } = createRecorder({
    lastSeq,
    stop,
    write: optimisticStart?.write ?? ((write) => deps.store.record({ task, ...write })),
    isStored: optimisticStart?.stored,
    remember: (entry) => apply(memory, entry),
    recorded(entries, change) {
      run.closing = change;
      run.entries?.push(...entries);
      if (run.entries !== undefined && run.entries.length > MAX_KEPT_ENTRIES) run.entries = undefined;
      // Only a queued task has waiters in another process. A large input is part of no message.
      const isShown = change !== undefined && task.acceptedBy != null && task.inputCharacters === undefined;
      const finished = isShown ? finishedRun(run) : undefined;
      deps.recorded(task, entries, change, finished);
    },
    onFault,
  });
  let { retryRequests } = task;
  // Field by field: two spreads were 2 % of a call.
  const run: Run = {
    task,
    workflow,
    graph,
    deps,
    memory,
    loops,
    outputs,
    redactor,
    secrets,
    stop,
    deadline: init.deadline,
    trace: init.trace,
    record,
    buffer,
    flush,
    idle,
    isDraining: false,
    lastSeq: lastRecorded,
    recordedBytes: init.recordedBytes,
    entries: lastSeq === 0 ? [] : undefined,
    closing: undefined,
    pools: new Set(),
    running: new Map(),
    memoryOf(path) {
      let step = memory.get(path);
      if (step === undefined) {
        step = blankMemory();
        memory.set(path, step);
      }
      return step;
    },
    requestRetry(request) {
      retryRequests = [...(retryRequests ?? []), request];
    },
    isRetryRequested(path) {
      if (retryRequests === undefined) return false;
      // An attempt that failed after the request waits again.
      const { since } = run.memoryOf(path);
      return retryRequests.some(({ path: asked, at }) => (asked ?? path) === path && at >= since);
    },
  };
  return run;
}
