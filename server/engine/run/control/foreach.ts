import {
  iterationOf,
  iterationPath,
  iterationPrefix,
  loopPrefix,
  pathUnder,
} from "../../../../contract/step-path.ts";
import type { JsonValue } from "../../../../contract/placeholders/json-value.ts";
import type { CompiledStep } from "../../graph/compiled-graph.ts";
import { UNNUMBERED } from "../../journal/journal-entry.ts";
import { loadJson, loadValue, storeValue } from "../../journal/outputs.ts";
import { failed, type Outcome } from "../outcome.ts";
import { createPool, type PoolEnd, type WorkEnd } from "../pool.ts";
import { createScope } from "../create-run.ts";
import type { ControlCall, ControlStep, LoopProgress, Run } from "../run.ts";
import { isPermanentLimit } from "../../../limits/limit-reached.ts";
import { LARGE_VALUE } from "../large-values.ts";
import { withinBudgets } from "../output-budget.ts";
import { settleStep } from "../settle-step.ts";
import { stopBy } from "../stop.ts";
import type { StepError } from "../../tasks/task.ts";
import { abandon, deadlineOf, stepDeadline, timedOut } from "./deadline.ts";
import { onParentEndOf, runSubWorkflow } from "./sub-workflow.ts";

const DEFAULT_CONCURRENCY = 10;
const MAX_CONCURRENCY = 100;

/**
 * Runs the same steps for every item, `concurrency` iterations at a time. Every inner step has its own journal entries
 * (`each[3]/fetch`): a crash costs only the iterations in flight, and memory holds no completed iteration.
 */
export const foreach: ControlStep = async (call) => {
  const { run, scope, path, step, memory, fields } = call;
  const now = run.deps.clock.now();
  const deadline = deadlineOf(step, memory, now);
  if (deadline !== null && deadline <= now) return failWithTimeout(run, path);
  const loop = run.loops.get(path) ?? (await beginLoop(call));
  if (loop === undefined) return failed("invalid_items", "The items of a foreach must be a list.");
  const { items } = loop;
  const limit = stepDeadline(scope.stop.signal, deadline === null ? undefined : deadline - now);
  let failure: (StepError & { index: number }) | undefined;

  const pool = createPool<number>({
    limit: Math.min(
      MAX_CONCURRENCY,
      Math.max(1, Math.floor(Number(fields["concurrency"] ?? DEFAULT_CONCURRENCY)) || 1),
    ),
    waitingHoldsSlot: true,
    clock: run.deps.clock,
    stop: run.stop,
    onError: () => void (run.isDraining = true),
    async work(index): Promise<WorkEnd> {
      if (limit.signal.aborted) return { kind: "failed" };
      loop.open.add(index);
      loop.next = Math.max(loop.next, index + 1);
      const iteration = { item: items[index] ?? null, index, signal: limit.signal };
      const end =
        step.inner === undefined
          ? await workflowIteration(call, iteration)
          : await innerIteration(call, iteration);
      if (end.kind === "failed") failure ??= { index, ...end.error };
      if (end.kind === "done") loop.open.delete(index);
      return end;
    },
  });
  run.pools.add(pool as never);
  pool.add(remainingIterations(loop));
  const end = await pool.end.finally(() => {
    run.pools.delete(pool as never);
    limit.clear();
  });
  if (end.kind !== "waiting" || limit.signal.aborted) run.loops.delete(path);
  if (limit.signal.aborted) return failWithTimeout(run, path);
  if (failure !== undefined) {
    const outcome = failed(failure.code, `Item ${failure.index}: ${failure.message}`);
    const { details } = failure;
    const error = details === undefined ? outcome.failure.error : { ...outcome.failure.error, details };
    const permanent =
      failure.code === "rejected" || failure.code === "output_too_large" || isPermanentLimit(details?.limit);
    return { ...outcome, failure: { ...outcome.failure, error, permanent } };
  }
  if (end.kind === "waiting") return deadline === null ? end : waitingUntil(deadline, end);
  await run.flush();
  // No iteration waits for a slot any more.
  if (run.recordedBytes > LARGE_VALUE) await call.hold.take(scope.stop.signal);
  return { kind: "completed", output: await collect(run, path, items.length, step) };
};

/** Counted before the first iteration: a list of a million items would fill the memory of the process with its journal. */
function checkJournal(run: Run, count: number, { inner }: CompiledStep): void {
  const { maxJournalEntries, journalTooLong } = run.deps.budgets;
  const entries = run.lastSeq() + count * (inner?.steps.size ?? 1);
  if (entries > maxJournalEntries) throw journalTooLong(entries);
}

/** Kept while the loop waits, so that a resume neither reads its list nor looks at its completed iterations. */
async function beginLoop(call: ControlCall): Promise<LoopProgress | undefined> {
  const items = await fixItems(call);
  if (items === undefined) return undefined;
  checkJournal(call.run, items.length, call.step);
  const loop: LoopProgress = { items, open: new Set(), next: 0 };
  call.run.loops.set(call.path, loop);
  return loop;
}

function remainingIterations({ items, open, next }: LoopProgress): number[] {
  const indexes = [...open];
  for (let index = next; index < items.length; index += 1) indexes.push(index);
  return indexes;
}

type IterationEnd =
  | { kind: "done" }
  | { kind: "failed"; error: StepError }
  | { kind: "waiting"; due: number | null; forApproval?: boolean };

interface Iteration {
  item: JsonValue;
  index: number;
  signal: AbortSignal;
}

async function innerIteration(
  { run, scope, step, path, runIteration }: ControlCall,
  { item, index, signal }: Iteration,
): Promise<IterationEnd> {
  const iteration = createScope(step.inner!, stopBy(signal), {
    prefix: iterationPrefix(path, index),
    parent: scope,
    item,
    index,
  });
  const end = await runIteration(iteration);
  for (const id of step.inner!.steps.keys()) run.outputs.forget(pathUnder(iteration.prefix, id));
  return end;
}

async function workflowIteration(
  { run, step, path, fields }: ControlCall,
  { item, index, signal }: Iteration,
): Promise<IterationEnd> {
  const iterationAt = iterationPath(path, index);
  const { ended } = run.memoryOf(iterationAt);
  if (ended?.status === "completed") return { kind: "done" };
  if (ended?.status === "failed") return { kind: "failed", error: ended.error! };
  const end = await runSubWorkflow(run, {
    path: iterationAt,
    workflowId: String(fields["workflowId"] ?? ""),
    input: { item, index },
    onParentEnd: onParentEndOf(fields),
    signal,
    deadline: null,
  });
  if (end.kind === "waiting") return { kind: "waiting", due: end.due, forApproval: end.forApproval === true };
  const { outcome, outputSize } = withinBudgets(run, end, 0);
  return settleStep(
    run,
    iterationAt,
    {
      type: "workflow",
      pure: false,
      maxRetries: 0,
      backoffMultiplier: step.backoffMultiplier,
    },
    outcome,
    {
      input: { item, index },
      inputSize: 0,
      outputSize,
      startedAt: run.deps.clock.now(),
    },
  );
}

async function failWithTimeout(run: Run, path: string): Promise<Outcome> {
  return { ...timedOut(), consumedApprovals: await abandon(run, path) };
}

/** Wakes the loop at its deadline, however long its iterations wait. */
function waitingUntil(deadline: number, end: Extract<PoolEnd, { kind: "waiting" }>): Outcome {
  return {
    ...end,
    due: end.due === null ? deadline : Math.min(end.due, deadline),
    begin: { status: end.forApproval ? "waiting_approval" : "waiting", due: deadline },
  };
}

/** Records the list once: the values it was rendered from, a variable or the clock, may differ after a restart. */
async function fixItems({
  run,
  step,
  path,
  memory,
  fields,
  startedAt,
}: ControlCall): Promise<JsonValue[] | undefined> {
  if (memory.itemsFixed) {
    const stored = await run.deps.store.items(run.task.id, path);
    return stored === undefined ? undefined : ((await loadValue(stored, run.deps.blobs)) as JsonValue[]);
  }
  const items = fields["items"];
  if (!Array.isArray(items)) return undefined;
  const now = run.deps.clock.now();
  const redacted = run.redactor === undefined ? items : (run.redactor.value(items) as JsonValue[]);
  if (run.deps.budgets.measure(items, LARGE_VALUE) > LARGE_VALUE) await run.deps.largeValues.turn();
  const stored = await storeValue(run.task.id, JSON.stringify(redacted), run.deps.blobs);
  await run.record([
    {
      seq: UNNUMBERED,
      kind: "items",
      path,
      type: step.type,
      status: "running",
      output: stored.output,
      outputRef: stored.outputRef,
      startedAt,
      at: now,
    },
  ]);
  return redacted;
}

/** Reads the outputs of all iterations from the journal, in the order of the items. */
async function collect(run: Run, path: string, count: number, { inner }: CompiledStep): Promise<JsonValue> {
  const { maxValueBytes, valueTooLarge } = run.deps.budgets;
  const { finalOutputs, finalOutputBytes } = run.deps.store;
  const prefix = loopPrefix(path);
  // Nothing is loaded of a list that would be too large. Most runs recorded less than one list may hold.
  if (run.recordedBytes > maxValueBytes) {
    const bytes = await finalOutputBytes(run.task.id, prefix);
    if (bytes > maxValueBytes) throw valueTooLarge("The list of outputs", bytes);
  }
  const iterations: Record<string, JsonValue>[] = Array.from({ length: count }, () => ({}));
  for (const stored of await finalOutputs(run.task.id, prefix)) {
    // An iteration that was cleared since has other final steps, or none.
    if (run.memory.get(stored.path)?.ended?.final !== true) continue;
    const { index, innerPath: id = "" } = iterationOf(stored.path, path) ?? {};
    // A foreach within an iteration has iterations of its own, which are already part of its output.
    if (index === undefined || (inner === undefined ? id !== "" : !inner.steps.has(id))) continue;
    const iteration = iterations[index];
    if (iteration !== undefined)
      iteration[id] = JSON.parse(await loadJson(stored, run.deps.blobs)) as JsonValue;
  }
  return iterations.map((outputs) => {
    const ids = Object.keys(outputs);
    return ids.length === 1 ? (outputs[ids[0]!] ?? null) : outputs;
  });
}
