import {
  iterationOf,
  iterationPath,
  iterationPrefix,
  loopPrefix,
  pathUnder,
} from "../../../../contract/step-path.ts";
import type { JsonValue } from "../../../../contract/placeholders/json-value.ts";
import { AppError } from "../../../lib/errors.ts";
import { createPauses } from "../../../lib/in-turns.ts";
import type { CompiledStep } from "../../graph/compiled-graph.ts";
import { loadValue } from "../../journal/outputs.ts";
import { failed } from "../outcome.ts";
import { createPool, type WorkEnd } from "../pool.ts";
import { createScope } from "../create-run.ts";
import type { ControlCall, ControlStep, LoopProgress, Run } from "../run.ts";
import { LARGE_VALUE } from "../large-values.ts";
import { withinBudgets } from "../output-budget.ts";
import { failureOf } from "../retry.ts";
import { settleStep } from "../settle-step.ts";
import type { Stop } from "../stop.ts";
import type { StepError } from "../../tasks/task.ts";
import { deadlineOf, stepDeadline } from "./deadline.ts";
import { concurrencyOf, itemAt, listOf } from "./foreach-items.ts";
import { createItemGate, type EnteredItem } from "./item-gate.ts";
import { failedIteration, failWithTimeout, fixItems, waitingUntil } from "./loop.ts";
import { onParentEndOf, runSubWorkflow } from "./sub-workflow.ts";

/**
 * Runs the same steps for every item, `concurrency` iterations at a time. Every inner step has its own journal entries
 * (`each[3]/fetch`): a crash costs only the iterations in flight, and memory holds no completed iteration.
 */
export const foreach: ControlStep = async (call) => {
  const { run, scope, path, step, memory } = call;
  const now = run.deps.clock.now();
  const deadline = deadlineOf(step, memory, now);
  if (deadline !== null && deadline <= now) return failWithTimeout(run, path);
  const loop = run.loops.get(path) ?? (await beginLoop(call));
  if (loop === undefined) return failed("invalid_items", notIterable(call.fields["items"]));
  const { items } = loop;
  const limit = stepDeadline(scope.stop, deadline === null ? undefined : deadline - now);
  const gate = createItemGate(run.deps.budgets.maxValueBytes);
  let failure: (StepError & { index: number }) | undefined;

  const pool = createPool<number>({
    limit: concurrencyOf(call),
    waitingHoldsSlot: true,
    clock: run.deps.clock,
    stop: run.stop,
    onError: () => void (run.isDraining = true),
    async work(index): Promise<WorkEnd> {
      if (limit.aborted) return { kind: "failed" };
      loop.open.add(index);
      loop.next = Math.max(loop.next, index + 1);
      let entered: EnteredItem<JsonValue>;
      try {
        entered = await itemAt(call, gate, items, index, limit.signal);
      } catch (error) {
        if (run.stop.aborted || (error instanceof AppError && error.code === "storage_unavailable"))
          throw error;
        failure ??= { index, ...failureOf(error).error };
        return { kind: "failed" };
      }
      const iteration = { item: entered.value, index, stop: limit };
      const running =
        step.inner === undefined ? workflowIteration(call, iteration) : innerIteration(call, iteration);
      const end = await running.finally(entered.leave);
      const isKept = end.kind === "failed" && step.continueOnItemError && !limit.aborted;
      if (isKept) (loop.errors ??= new Map()).set(index, end.error);
      else if (end.kind === "failed") failure ??= { index, ...end.error };
      if (isKept || end.kind === "done") loop.open.delete(index);
      return isKept ? { kind: "done" } : end;
    },
  });
  run.pools.add(pool as never);
  pool.add(remainingIterations(loop));
  const end = await pool.end.finally(() => {
    run.pools.delete(pool as never);
    limit.clear();
  });
  if (end.kind !== "waiting" || limit.aborted) run.loops.delete(path);
  if (limit.aborted) return failWithTimeout(run, path);
  if (failure !== undefined) return failedIteration(`Item ${failure.index + 1}`, failure);
  if (end.kind === "waiting") return waitingUntil(deadline, end);
  await run.flush();
  // No iteration waits for a slot any more.
  if (run.recordedBytes > LARGE_VALUE) await call.hold.take(scope.stop.signal);
  const errors = [...(loop.errors ?? [])].toSorted(([a], [b]) => a - b);
  const output = await collect(run, path, items.length, step);
  for (const [index, { code, message }] of errors) output[index] = { error: { code, message } };
  return { kind: "completed", output, ...(errors.length === 0 ? {} : { extra: itemErrors(errors) }) };
};

function notIterable(value: JsonValue | undefined): string {
  const hint = value === undefined || value === null ? " Check the path of the placeholder." : "";
  return `The items of a foreach must be a list or a file, not ${kindOf(value)}.${hint}`;
}

function kindOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "nothing";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "text" : String(value);
}

/** A list of ten thousand errors would say no more than its first ones. */
const MAX_SHOWN_ERRORS = 100;

function itemErrors(errors: readonly [number, StepError][]): Record<string, unknown> {
  const shown = errors
    .slice(0, MAX_SHOWN_ERRORS)
    .map(([index, { code, message }]) => ({ index, code, message }));
  return { failedItems: errors.length, itemErrors: shown };
}

/** Counted before the first iteration: a list of a million items would fill the memory of the process with its journal. */
function checkJournal(run: Run, count: number, { inner }: CompiledStep): void {
  const { maxJournalEntries, journalTooLong } = run.deps.budgets;
  const entries = run.lastSeq() + count * (inner?.steps.size ?? 1);
  if (entries > maxJournalEntries) throw journalTooLong(entries);
}

/** Kept while the loop waits, so that a resume neither reads its list nor looks at its completed iterations. */
async function beginLoop(call: ControlCall): Promise<LoopProgress | undefined> {
  // A recorded list is read back as it was: its file is not searched for rows again.
  const items = await fixItems(call, call.memory.itemsFixed ? undefined : await listOf(call));
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
  stop: Stop;
}

async function innerIteration(
  { run, scope, step, path, runIteration }: ControlCall,
  { item, index, stop }: Iteration,
): Promise<IterationEnd> {
  const iteration = createScope(step.inner!, stop, {
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
  { item, index, stop }: Iteration,
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
    stop,
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

/** Reads the outputs of all iterations from the journal, in the order of the items. */
async function collect(run: Run, path: string, count: number, { inner }: CompiledStep): Promise<JsonValue[]> {
  const { maxValueBytes, valueTooLarge } = run.deps.budgets;
  const { finalOutputs, finalOutputBytes } = run.deps.store;
  const prefix = loopPrefix(path);
  // Nothing is loaded of a list that would be too large. Most runs recorded less than one list may hold.
  if (run.recordedBytes > maxValueBytes) {
    const bytes = await finalOutputBytes(run.task.id, prefix);
    if (bytes > maxValueBytes) throw valueTooLarge("The list of outputs", bytes);
  }
  const iterations: Record<string, JsonValue>[] = Array.from({ length: count }, () => ({}));
  const pause = createPauses();
  for (const stored of await finalOutputs(run.task.id, prefix)) {
    await pause();
    // An iteration that was cleared since has other final steps, or none.
    if (run.memory.get(stored.path)?.ended?.final !== true) continue;
    const { index, innerPath: id = "" } = iterationOf(stored.path, path) ?? {};
    // A foreach within an iteration has its own iterations, which are already part of its output.
    if (index === undefined || (inner === undefined ? id !== "" : !inner.steps.has(id))) continue;
    const iteration = iterations[index];
    if (iteration !== undefined) iteration[id] = await loadValue(stored, run.deps.blobs);
  }
  return iterations.map((outputs) => {
    const ids = Object.keys(outputs);
    return ids.length === 1 ? (outputs[ids[0]!] ?? null) : outputs;
  });
}
