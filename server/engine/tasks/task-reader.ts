import { setTimeout as sleep } from "node:timers/promises";
import type { BlobStore } from "../../lib/blob-store.ts";
import { notFound } from "../../lib/errors.ts";
import { payloadTooLarge } from "../../limits/limit-reached.ts";
import type { Limits } from "../../limits/limits.ts";
import { createDeadline } from "../../lib/deadline.ts";
import { parseInTurns } from "../../lib/stored-json.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { Engine, SettledOptions, TaskWithSteps } from "../engine-api.ts";
import type { CompiledGraph } from "../graph/compiled-graph.ts";
import type { FinishedRun, LiveRuns } from "../worker/live-runs.ts";
import type { TaskWaiters } from "./task-waiters.ts";
import { loadValue } from "../journal/outputs.ts";
import { toResultPage } from "../../lib/result-page.ts";
import { attemptOf, sequenceOf } from "./step-attempts.ts";
import { createResponseBudget, type ResponseOptions, storedValue } from "./response-budget.ts";
import { stepsAt } from "../run/rerun.ts";
import { iterationOutput, loopItemsOf, readLoopSteps } from "./loop-items.ts";
import { stepResultsOf } from "./step-results.ts";
import type { EngineStore } from "../store.ts";
import { isFinal, type Task, type TaskResult, type TaskStatus } from "./task.ts";

const FIRST_REREAD_MS = 250;
const REREAD_MS = 1000;
/** Limits the log lines on one page of the journal. */
const MAX_LOG_PAGE_BYTES = 1024 * 1024;
const NOTHING_RUNS = new Map<string, never>();

export type TaskReader = Pick<
  Engine,
  | "read"
  | "settled"
  | "settledAs"
  | "attempts"
  | "logs"
  | "loopItems"
  | "outputsOf"
  | "openOutput"
  | "openResult"
> & {
  /** With its result, without its input. */
  state(taskId: string): Promise<Omit<Task, "input">>;
};

/** Limits the stored values in one response, and the outputs that a new task copies; 0 is no limit. */
export type ReadLimits = Pick<Limits, "max" | "countRefusal">;

/** Reads tasks: whole, once they have settled, or some of their outputs. */
export function createTaskReader({
  store,
  blobs,
  live,
  waiters,
  watchPeers,
  limits,
  graphOf,
  isClosed,
}: {
  store: EngineStore;
  blobs: BlobStore;
  live: LiveRuns;
  waiters: TaskWaiters;
  /** Makes peers that run the task send hints. */
  watchPeers(taskId: string): () => void;
  limits: ReadLimits;
  /** The graph that the task runs; undefined when its workflow no longer exists. */
  graphOf(taskId: string): Promise<CompiledGraph | undefined>;
  /** The process is stopping: tasks that no longer run here belong to the next process, and waits for them end. */
  isClosed(): boolean;
}): TaskReader {
  const [maxResponseBytes, maxValueBytes] = [limits.max("response_bytes"), limits.max("value_bytes")];
  const budgetOf = (taskId: string, options?: ResponseOptions) =>
    createResponseBudget(taskId, maxResponseBytes, blobs, options);

  async function task(taskId: string, readResult = wholeResult): Promise<Task> {
    const stored = await store.task(taskId);
    if (stored === undefined) throw notFound("task", taskId);
    const { resultRef, options: _options, ...rest } = stored;
    return resultRef === null ? rest : { ...rest, result: await readResult(resultRef) };
  }

  async function stateOf(taskId: string): Promise<Omit<Task, "input">> {
    const stored = await store.state(taskId);
    if (stored === undefined) throw notFound("task", taskId);
    const { resultRef, options: _options, ...rest } = stored;
    return resultRef === null ? rest : { ...rest, result: await wholeResult(resultRef) };
  }

  async function wholeResult(resultRef: string): Promise<TaskResult> {
    return (await parseInTurns(await blobs.get(resultRef))) as unknown as TaskResult;
  }

  const storedResult = (resultRef: string): Promise<TaskResult> =>
    Promise.resolve(storedValue(resultRef, null, blobs) as unknown as TaskResult);

  /** A caller that waited for the result gets it whole. */
  async function withSteps(
    taskId: string,
    { hasWholeResult }: { hasWholeResult: boolean },
    options?: ResponseOptions,
  ) {
    const budget = budgetOf(taskId, options);
    const readWhole = options?.asStored === true ? storedResult : wholeResult;
    let [found, entries] = await Promise.all([
      task(taskId, hasWholeResult ? readWhole : budget.result),
      store.ownEntries(taskId),
    ]);
    // The task ended between the two reads: its last entry exists by now.
    if (isFinal(found.status) && entries.at(-1)?.kind !== "status") entries = await store.ownEntries(taskId);
    return { task: found, stepResults: await stepResultsOf(entries, live.running(taskId), budget) };
  }

  async function withStepsOf(
    { task: { id, ...rest }, resultJson, entries }: FinishedRun,
    options: ResponseOptions,
  ) {
    const result = resultJson === null ? null : (JSON.parse(resultJson) as TaskResult);
    const stepResults = await stepResultsOf(entries, NOTHING_RUNS, budgetOf(id, options));
    return { task: { id, ...rest, result }, stepResults };
  }

  /** All values of the entries are in the response, none as a link. */
  function fitsResponse({ entries }: FinishedRun): boolean {
    if (maxResponseBytes === 0) return true;
    let bytes = 0;
    for (const entry of entries)
      if (entry.kind === "step") bytes += (entry.input?.length ?? 0) + (entry.output?.length ?? 0);
    return bytes <= maxResponseBytes;
  }

  async function settledAs<View>(
    taskId: string,
    timeoutMs: number,
    viewFinished: (run: FinishedRun) => View | undefined,
    { signal, isQueued = false, throughApprovals = false, asStored = false }: SettledOptions = {},
  ): Promise<View | TaskWithSteps> {
    const limit = createDeadline(timeoutMs, { outer: signal });
    const isSettled = (status: TaskStatus): boolean =>
      isFinal(status) || (status === "waiting_approval" && !throughApprovals);
    const handedOver = (): boolean => isClosed() && live.get(taskId) === undefined;
    let mayHaveChanged = !isQueued;
    let next = waiters.wait(taskId);
    let stopWatching: (() => void) | undefined;
    /** Sent by the peer that ran the task. */
    let received: FinishedRun | undefined;
    try {
      for (let pauseMs = FIRST_REREAD_MS; ; pauseMs = Math.min(REREAD_MS, pauseMs * 2)) {
        const finished = received ?? (await Promise.race([live.left(taskId), limit.reached]));
        if (finished !== undefined) {
          const view = fitsResponse(finished) ? viewFinished(finished) : undefined;
          return view ?? withStepsOf(finished, { asStored });
        }
        if (mayHaveChanged) {
          const found = await withSteps(taskId, { hasWholeResult: true }, { asStored });
          if (isSettled(found.task.status) || limit.aborted || handedOver()) return found;
        }
        mayHaveChanged = true;
        // Parked, queued or in a peer: the row is read again after a hint, and every second in case a hint is lost.
        if (live.get(taskId) === undefined) {
          // The process that runs a task knows which one queued it.
          if (!isQueued) stopWatching ??= watchPeers(taskId);
          const pause = sleep(pauseMs, undefined, { ref: false });
          const hinted = next.changed.then((finished) => ({ finished }));
          const hint = await Promise.race([hinted, pause, limit.reached]);
          received = hint?.finished;
          if (hint !== undefined) {
            next.cancel();
            next = waiters.wait(taskId);
          } else if (!limit.aborted && !handedOver()) {
            // Most likely nothing has changed: the row of the task is read without its journal.
            mayHaveChanged = isSettled((await store.state(taskId))?.status ?? "failed");
          }
        }
      }
    } finally {
      limit.clear();
      next.cancel();
      stopWatching?.();
    }
  }

  return {
    state: stateOf,
    read: async (taskId, options) =>
      (await store.state(taskId)) === undefined
        ? undefined
        : withSteps(taskId, { hasWholeResult: false }, options),

    settledAs,
    settled: (taskId, timeoutMs, options) =>
      settledAs<TaskWithSteps>(taskId, timeoutMs, () => undefined, options),

    async attempts(taskId, path, { limit, cursor }) {
      const entries = await store.attempts(taskId, path, sequenceOf(cursor), limit + 1);
      const { items, nextCursor } = toResultPage(entries, limit, ({ seq }) => String(seq));
      return { items: await Promise.all(items.map((entry) => attemptOf(entry, blobs))), nextCursor };
    },

    async logs(taskId, afterSeq, lastSeq) {
      const budget = createResponseBudget(taskId, MAX_LOG_PAGE_BYTES, blobs);
      const logs = await store.logs(taskId, afterSeq, lastSeq);
      return new Map(logs.map(({ seq, path, lines }) => [seq, budget.logs(path, lines)]));
    },

    async loopItems(taskId, path) {
      const stored = await store.items(taskId, path);
      if (stored === undefined) return undefined;
      const values = (await loadValue(stored, blobs)) as JsonValue[];
      const steps = await readLoopSteps(path, (after, limit) => store.heads(taskId, after, limit));
      const graph = await graphOf(taskId);
      const loop = graph === undefined ? undefined : stepsAt(graph, path).at(-1);
      const isWhile = loop?.check !== undefined;
      // A while has as many iterations as have begun.
      const count = isWhile ? steps.size : values.length;
      const items = loopItemsOf(path, count, steps, graph, live.running(taskId));
      const valueOf = async (index: number): Promise<JsonValue> => {
        const before = isWhile ? items[index - 1] : undefined;
        return before === undefined ? (values[index] ?? null) : iterationOutput(taskId, before, store);
      };
      return { items, valuesOf: (indexes) => Promise.all(indexes.map(valueOf)) };
    },

    async openOutput(taskId, path) {
      const [stored] = await store.outputs(taskId, [path]);
      if (stored === undefined) return "null";
      return stored.outputRef === null
        ? (stored.output ?? "null")
        : (await blobs.open(stored.outputRef)).stream;
    },

    async openResult(taskId) {
      const stored = await store.state(taskId);
      if (stored === undefined) throw notFound("task", taskId);
      return stored.resultRef === null
        ? JSON.stringify(stored.result)
        : (await blobs.open(stored.resultRef)).stream;
    },

    async outputsOf(taskId, stepIds) {
      // They become one value, which is stored with the new task and parsed whenever it runs.
      if (maxValueBytes > 0 && (await store.outputBytes(taskId, stepIds)) > maxValueBytes) {
        limits.countRefusal("value_bytes");
        throw payloadTooLarge(
          "value_bytes",
          `The outputs that this run would take from the other task have more than ${maxValueBytes} bytes. Select more steps, or send the outputs that are needed.`,
        );
      }
      const asked = new Set(stepIds);
      const given = Object.entries((await store.state(taskId))?.options?.outputs ?? {});
      // An output given to a partial run counts like one that the step recorded.
      const outputs = Object.fromEntries(given.filter(([id]) => asked.has(id)));
      for (const stored of await store.outputs(taskId, stepIds))
        outputs[stored.path] = await loadValue(stored, blobs);
      return outputs;
    },
  };
}
