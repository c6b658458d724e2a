import { pathUnder } from "../../../contract/step-path.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { CompiledStep } from "../graph/compiled-graph.ts";
import { abandon } from "./control/deadline.ts";
import { executeTraced } from "./execute-traced.ts";
import { type JournalEntry, type StepEntry, UNNUMBERED, type WaitEntry } from "../journal/journal-entry.ts";
import { LARGE_VALUE } from "./large-values.ts";
import type { Outcome } from "./outcome.ts";
import { createPool, type WorkEnd } from "./pool.ts";
import { type Decision, type Ending, handlesFailure } from "../graph/progress.ts";
import type { Run, RunScope, ScopeEnd } from "./run.ts";
import { settleStep, shownInput } from "./settle-step.ts";
import { stopBy } from "./stop.ts";
import type { RunWrite } from "../store.ts";
import type { StepError } from "../tasks/task.ts";

/** A fan-out of thousands of http steps must not open thousands of sockets at once. */
const STEPS_AT_ONCE = 100;

export interface ScopeOptions {
  /** Returns what is written together with the last entry of the scope. */
  onLast?: (last: {
    stepId: string;
    output: JsonValue;
    final: boolean;
  }) => Promise<Omit<RunWrite, "task" | "entries"> & { after: JournalEntry[] }>;
}

interface ScopeFailure {
  error: StepError;
  path: string;
}

/** Runs a graph from the state that the journal has, until it is done, has failed, or only waits. */
export async function runScope(run: Run, scope: RunScope, { onLast }: ScopeOptions = {}): Promise<ScopeEnd> {
  let failure: ScopeFailure | undefined;
  const settling = new Set<Promise<unknown>>();
  const { ready, skipped, lost, failed } = restore(run, scope);
  // The failure was recorded before a crash; the step is not executed again.
  if (failed !== undefined) return { kind: "failed", ...failed };
  /** Disabled steps at the beginning are recorded with the first step that ends. */
  let unrecorded = skips(run, scope, { skipped, lost });
  const skipsAfter = (decision: Decision): StepEntry[] => {
    const entries = [...unrecorded, ...skips(run, scope, decision)];
    unrecorded = [];
    return entries;
  };

  /** The steps in execution that another branch may be faster than. */
  const racing = new Map<string, { abort(): void; left: Promise<unknown> }>();
  /** Ends the other branches of a race before the winner is recorded, so that none of them records anything after it. */
  const endLost = async ({ lost: lostIds = [] }: Decision): Promise<Pick<RunWrite, "closedWaits">> => {
    const running = lostIds.flatMap((id) => racing.get(id) ?? []);
    for (const step of running) step.abort();
    await Promise.allSettled(running.map(({ left }) => left));
    const closedWaits: string[] = [];
    for (const id of lostIds) closedWaits.push(...(await abandon(run, pathUnder(scope.prefix, id))));
    return closedWaits.length === 0 ? {} : { closedWaits };
  };

  const pool = createPool<CompiledStep>({
    limit: STEPS_AT_ONCE,
    waitingHoldsSlot: false,
    clock: run.deps.clock,
    stop: run.stop,
    onError: () => void (run.isDraining = true),
    work(step): Promise<WorkEnd> {
      if (scope.progress.isSettled(step.id)) return Promise.resolve({ kind: "done" });
      if (step.racesTo.length === 0) return workOn(step, scope);
      const controller = new AbortController();
      const signal = AbortSignal.any([scope.stop.signal, controller.signal]);
      const left = workOn(step, { ...scope, stop: stopBy(signal) });
      racing.set(step.id, { abort: () => controller.abort(), left });
      return left.finally(() => racing.delete(step.id));
    },
  });

  async function workOn(step: CompiledStep, own: RunScope): Promise<WorkEnd> {
    const path = pathUnder(scope.prefix, step.id);
    const isLost = () => scope.progress.isSettled(step.id);
    const hold = run.deps.largeValues.hold(run.task.ownerId);
    try {
      const execution = await executeTraced(run, own, step, hold, (iteration) => runScope(run, iteration));
      const { outcome, input, inputSize, outputSize, startedAt, logs } = execution;
      if (isLost()) return { kind: "done" };
      if (outcome.kind === "waiting") {
        await beginWait(run, step, path, outcome, input, startedAt);
        return { kind: "waiting", due: outcome.due, forApproval: outcome.forApproval === true };
      }
      // Before the settling below: a last step that waits for others to be recorded must never wait for their slots.
      // A step that gets none goes on: its work is done, and its result must be recorded.
      if (outputSize > LARGE_VALUE) await hold.take(own.stop.signal).catch(() => undefined);
      let decision: Decision | undefined;
      let failedJoin: string | undefined;
      const recording = settleStep(run, path, step, outcome, {
        input,
        inputSize,
        outputSize,
        startedAt,
        logs,
        isLost,
        async settle(ending, output) {
          if (ending.status === "failed" && !handlesFailure(step)) return undefined;
          const settled = scope.progress.settle(step.id, ending);
          failedJoin = settled.failedJoin;
          if (failedJoin !== undefined) return undefined;
          decision = settled;
          const closed = decision.lost === undefined ? undefined : await endLost(decision);
          if (scope.progress.open > 0 || onLast === undefined)
            return {
              final: decision.final,
              after: skipsAfter(decision),
              ...(closed === undefined ? {} : { more: closed }),
            };
          // Parallel steps have ended but may not be recorded yet: the end of the task comes after them.
          settling.delete(recording);
          if (settling.size > 0) await Promise.allSettled(settling);
          const { after, ...more } = await onLast({ stepId: step.id, output, final: decision.final });
          return {
            final: decision.final,
            after: [...skipsAfter(decision), ...after],
            more: { ...closed, ...more },
          };
        },
      });
      settling.add(recording);
      const end = await recording.finally(() => settling.delete(recording));
      if (end.kind === "waiting") return end;
      if (failedJoin !== undefined) {
        failure ??= branchFailure(run, scope, failedJoin);
        return { kind: "failed" };
      }
      if (decision === undefined && isLost()) return { kind: "done" };
      if (decision === undefined) {
        failure ??= {
          error: end.kind === "failed" ? end.error : { code: "step_failed", message: "" },
          path,
        };
        return { kind: "failed" };
      }
      forgetUnread(run, scope, [step.id, ...decision.skipped]);
      // Steps of the lost branches that wait are dropped when they run again.
      if (decision.lost !== undefined) pool.wake();
      pool.add(decision.ready.map((id) => scope.graph.steps.get(id)!));
      return { kind: "done" };
    } finally {
      hold.release();
    }
  }

  run.pools.add(pool as never);
  pool.add(ready.map((id) => scope.graph.steps.get(id)!));
  const end = await pool.end.finally(() => run.pools.delete(pool as never));
  if (unrecorded.length > 0) await run.record(unrecorded);
  if (failure !== undefined) return { kind: "failed", ...failure };
  return end.kind === "waiting" ? end : { kind: "done" };
}

/** Replays the endings in the journal. Steps that are ready and have not ended are where the run continues. */
function restore(
  run: Run,
  scope: RunScope,
): { ready: string[]; skipped: string[]; lost: string[]; failed?: ScopeFailure } {
  const begin = scope.progress.begin();
  const { lost = [] } = begin;
  const ready = new Set(begin.ready);
  const skipped = begin.skipped.filter(
    (id) => run.memory.get(pathUnder(scope.prefix, id))?.ended === undefined,
  );
  for (const step of scope.graph.steps.values()) {
    const path = pathUnder(scope.prefix, step.id);
    const ended = run.memory.get(path)?.ended;
    // Skips are derived from the other endings: after a rerun on an edited graph a skipped step may be reachable.
    if (ended === undefined || ended.status === "skipped" || scope.progress.isSettled(step.id)) continue;
    if (ended.status === "failed" && !handlesFailure(step)) {
      const error = ended.error ?? { code: "step_failed", message: "" };
      return { ready: [], skipped, lost, failed: { error, path } };
    }
    const ending: Ending =
      ended.status === "completed"
        ? {
            status: "completed",
            output: ended.output === null ? null : (JSON.parse(ended.output) as JsonValue),
          }
        : { status: ended.status };
    const decision = scope.progress.settle(step.id, ending);
    if (decision.failedJoin !== undefined)
      return { ready: [], skipped, lost, failed: branchFailure(run, scope, decision.failedJoin) };
    ended.final = decision.final;
    for (const id of decision.ready) ready.add(id);
  }
  forgetUnread(
    run,
    scope,
    [...scope.graph.steps.keys()].filter((id) => scope.progress.isSettled(id)),
  );
  return { ready: [...ready].filter((id) => !scope.progress.isSettled(id)), skipped, lost };
}

/** No branch has succeeded. The first failed step in the order of the graph is the cause, whichever failed last. */
function branchFailure(run: Run, scope: RunScope, joinId: string): ScopeFailure {
  for (const step of scope.graph.steps.values()) {
    const path = pathUnder(scope.prefix, step.id);
    const ended = run.memory.get(path)?.ended;
    if (step.racesTo.includes(joinId) && ended?.status === "failed" && ended.error !== null)
      return { error: ended.error, path };
  }
  return { error: { code: "step_failed", message: "" }, path: pathUnder(scope.prefix, joinId) };
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
  const entry: WaitEntry = {
    seq: UNNUMBERED,
    kind: "wait",
    path,
    type: step.type,
    status,
    input: shownInput(run, input),
    due,
    startedAt,
    at: run.deps.clock.now(),
  };
  await run.record([entry], openApproval === undefined ? {} : { openApproval });
}

function skips(
  run: Run,
  scope: RunScope,
  { skipped, lost }: Pick<Decision, "skipped" | "lost">,
): StepEntry[] {
  if (skipped.length === 0) return [];
  const at = run.deps.clock.now();
  return skipped.map((id) => ({
    seq: UNNUMBERED,
    kind: "step",
    path: pathUnder(scope.prefix, id),
    type: scope.graph.steps.get(id)!.type,
    status: "skipped",
    attempt: 0,
    final: false,
    input: null,
    output: null,
    outputRef: null,
    error: null,
    extra: skipReason(scope.graph.steps.get(id)!, lost),
    startedAt: null,
    at,
  }));
}

function skipReason({ id, disabled }: CompiledStep, lost: Decision["lost"]): StepEntry["extra"] {
  if (lost?.includes(id) === true) return { reason: "other_branch_first" };
  return disabled ? { reason: "disabled" } : null;
}

/** Drops an output when its last reader has ended, so that memory does not grow with the number of ended steps. */
function forgetUnread(run: Run, scope: RunScope, endedIds: readonly string[]): void {
  for (const endedId of endedIds) {
    for (const id of [endedId, ...scope.graph.steps.get(endedId)!.refersTo]) {
      if (!scope.graph.steps.has(id)) continue;
      const left = (scope.unread.get(id) ?? 0) - (id === endedId ? 0 : 1);
      scope.unread.set(id, left);
      const path = pathUnder(scope.prefix, id);
      const { ended } = run.memoryOf(path);
      if (left <= 0 && ended !== undefined && !ended.final) run.outputs.forget(path);
    }
  }
}
