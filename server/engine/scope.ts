import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { CompiledStep } from "./compiled-graph.ts";
import { executeStep } from "./execute-step.ts";
import type { NewEntry } from "./journal-entry.ts";
import type { Outcome } from "./outcome.ts";
import { inputText, storeValue } from "./outputs.ts";
import { createPool, type WorkEnd } from "./pool.ts";
import { type Decision, type Ending, handlesFailure } from "./progress.ts";
import { retryAt } from "./retry.ts";
import type { Run, RunScope } from "./run.ts";
import type { RunWrite } from "./store.ts";
import type { StepError } from "./task.ts";

/** A fan-out of thousands of http steps must not open thousands of sockets at once. */
const STEPS_AT_ONCE = 100;

export type ScopeEnd =
  | { kind: "done" }
  | { kind: "failed"; error: StepError; path: string }
  | { kind: "waiting"; due: number | null; forApproval: boolean };

export interface ScopeOptions {
  /** What is written together with the entry that ends the scope; undefined when that entry needs nothing beside it. */
  onLast?: (last: {
    stepId: string;
    output: JsonValue;
    final: boolean;
  }) => Promise<Omit<RunWrite, "task" | "entries"> & { after: NewEntry[] }>;
}

/** Runs a graph from wherever the journal says it stands until it is done, has failed or only waits. */
export async function runScope(run: Run, scope: RunScope, { onLast }: ScopeOptions = {}): Promise<ScopeEnd> {
  let failure: { error: StepError; path: string } | undefined;
  let due: number | null = null;
  let forApproval = false;

  const pool = createPool<CompiledStep>({
    limit: STEPS_AT_ONCE,
    waitingHoldsPlace: false,
    clock: run.deps.clock,
    async work(step): Promise<WorkEnd> {
      const path = scope.prefix + step.id;
      const { outcome, input, startedAt } = await executeStep(run, scope, step);
      if (outcome.kind === "waiting") {
        await beginWait(run, step, path, outcome, input, startedAt);
        if (outcome.due !== null) due = due === null ? outcome.due : Math.min(due, outcome.due);
        forApproval ||= outcome.forApproval === true;
        return { kind: "waiting", due: outcome.due };
      }
      let decision: Decision | undefined;
      const end = await settleStep(run, { ...step, path }, outcome, {
        input,
        startedAt,
        async settle(ending, output) {
          if (ending.status === "failed" && !handlesFailure(step)) return undefined;
          decision = scope.progress.settle(step.id, ending);
          const last =
            scope.progress.open === 0
              ? await onLast?.({ stepId: step.id, output, final: decision.final })
              : undefined;
          const { after = [], ...more } = last ?? {};
          return { final: decision.final, after: [...skips(run, scope, decision), ...after], more };
        },
      });
      if (end.kind === "waiting") {
        due = due === null ? (end.due ?? null) : Math.min(due, end.due ?? due);
        return end;
      }
      if (decision === undefined) {
        failure ??= { error: end.kind === "failed" ? end.error : { code: "step_failed", message: "" }, path };
        return { kind: "failed" };
      }
      forgetUnread(run, scope, [step.id, ...decision.skipped]);
      pool.add(decision.ready.map((id) => scope.graph.steps.get(id)!));
      return { kind: "done" };
    },
  });
  run.pools.add(pool as never);
  pool.add(restore(run, scope).map((id) => scope.graph.steps.get(id)!));
  const end = await pool.end.finally(() => run.pools.delete(pool as never));
  if (failure !== undefined) return { kind: "failed", ...failure };
  return end === "waiting" ? { kind: "waiting", due, forApproval } : { kind: "done" };
}

/** Replays what the journal knows of this graph; what is ready and has not ended is where to go on. */
function restore(run: Run, scope: RunScope): string[] {
  const ready = new Set(scope.progress.begin().ready);
  for (const step of scope.graph.steps.values()) {
    const ended = run.memory.get(scope.prefix + step.id)?.ended;
    if (ended === undefined || scope.progress.isSettled(step.id)) continue;
    if (ended.status === "failed" && !handlesFailure(step)) continue;
    const ending: Ending =
      ended.status === "completed"
        ? {
            status: "completed",
            output: ended.output === null ? null : (JSON.parse(ended.output) as JsonValue),
          }
        : { status: ended.status };
    for (const id of scope.progress.settle(step.id, ending).ready) ready.add(id);
  }
  forgetUnread(
    run,
    scope,
    [...scope.graph.steps.keys()].filter((id) => scope.progress.isSettled(id)),
  );
  return [...ready].filter((id) => !scope.progress.isSettled(id));
}

async function beginWait(
  run: Run,
  step: CompiledStep,
  path: string,
  outcome: Extract<Outcome, { kind: "waiting" }>,
  input: Record<string, unknown> | undefined,
  startedAt: number,
): Promise<void> {
  if (outcome.begin === undefined || run.memoryOf(path).waiting?.kind === "wait") return;
  const { openApproval, status, due } = outcome.begin;
  const entry: NewEntry = {
    kind: "wait",
    path,
    type: step.type,
    status,
    due: due ?? null,
    startedAt,
    at: run.deps.clock.now(),
    input: shownInput(run, input),
  };
  await run.record([entry], openApproval === undefined ? {} : { openApproval });
}

interface SettleContext {
  input: unknown;
  startedAt: number;
  /** What follows in the graph; undefined when nobody handles the failure. */
  settle?(
    ending: Ending,
    output: JsonValue,
  ): Promise<{ final: boolean; after: NewEntry[]; more: Omit<RunWrite, "task" | "entries"> } | undefined>;
}

type SettledStep = Pick<CompiledStep, "type" | "maxRetries" | "backoffMultiplier"> & { path: string };

/** Records how an execution ended: a retry to come, or the end of the step with all that follows from it. */
export async function settleStep(
  run: Run,
  { path, type, maxRetries, backoffMultiplier }: SettledStep,
  outcome: Outcome,
  { input, startedAt, settle }: SettleContext,
): Promise<
  { kind: "done" } | { kind: "failed"; error: StepError } | { kind: "waiting"; due: number | null }
> {
  const now = run.deps.clock.now();
  if (outcome.kind === "waiting") return { kind: "waiting", due: outcome.due };
  const attempt = run.memoryOf(path).attempts + 1;
  const failure = outcome.kind === "failed" ? outcome.failure : undefined;
  const error = failure === undefined ? null : struckOut(run, failure.error);
  const base: NewEntry = {
    kind: "step",
    path,
    type,
    status: failure === undefined ? "completed" : "failed",
    at: now,
    attempt,
    startedAt,
    error,
    input: shownInput(run, input),
    extra: struckOut(run, (outcome.kind === "completed" ? outcome.extra : failure?.extra) ?? null),
  };
  const due =
    failure === undefined ? undefined : retryAt(now, attempt, failure, { maxRetries, backoffMultiplier });
  if (due !== undefined) {
    await run.record([{ ...base, kind: "attempt", status: "waiting", due }]);
    return { kind: "waiting", due };
  }

  const output = struckOut(run, outcome.output ?? null);
  const json = JSON.stringify(output);
  const stored = await storeValue(run.task.id, json, run.deps.blobs);
  run.outputs.keep(path, output);
  const follows = await settle?.(
    failure === undefined ? { status: "completed", output } : { status: "failed" },
    output,
  );
  await run.record(
    [{ ...base, ...stored, final: follows?.final ?? settle === undefined }, ...(follows?.after ?? [])],
    {
      ...follows?.more,
      ...(outcome.consumedApproval === true ? { consumedApprovals: [path] } : {}),
    },
  );
  return error === null ? { kind: "done" } : { kind: "failed", error };
}

function skips(run: Run, scope: RunScope, { skipped }: Decision): NewEntry[] {
  const at = run.deps.clock.now();
  return skipped.map((id) => ({
    kind: "step",
    path: scope.prefix + id,
    type: scope.graph.steps.get(id)!.type,
    status: "skipped",
    at,
  }));
}

/** Memory does not grow with the number of finished steps: an output is dropped with its last reader. */
function forgetUnread(run: Run, scope: RunScope, endedIds: readonly string[]): void {
  for (const endedId of endedIds) {
    for (const id of [endedId, ...scope.graph.steps.get(endedId)!.refersTo]) {
      if (!scope.graph.steps.has(id)) continue;
      const left = (scope.unread.get(id) ?? 0) - (id === endedId ? 0 : 1);
      scope.unread.set(id, left);
      const { ended } = run.memoryOf(scope.prefix + id);
      if (left <= 0 && ended !== undefined && !ended.final) run.outputs.forget(scope.prefix + id);
    }
  }
}

function shownInput(run: Run, input: unknown): string | null {
  return input === undefined ? null : inputText(JSON.stringify(struckOut(run, input)));
}

/** No secret gets into the journal: what is struck out here is also what later steps see. */
function struckOut<T>(run: Run, value: T): T {
  return run.redactor === undefined ? value : (run.redactor.value(value as never) as T);
}
