import { pathUnder } from "../../../contract/step-path.ts";
import { createDeadline } from "../../lib/deadline.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { CompiledStep } from "../graph/compiled-graph.ts";
import { abandon } from "./control/deadline.ts";
import { type Computed, computeStep } from "./compute-step.ts";
import { executeTraced } from "./execute-traced.ts";
import { type JournalEntry, type StepEntry, UNNUMBERED, type WaitEntry } from "../journal/journal-entry.ts";
import { LARGE_VALUE } from "./large-values.ts";
import type { Execution } from "./execute-step.ts";
import type { BeginWait } from "./outcome.ts";
import { createPool, type WorkEnd } from "./pool.ts";
import { type Decision, handlesFailure } from "../graph/progress.ts";
import type { Run, RunScope, ScopeEnd } from "./run.ts";
import { branchFailure, forgetUnread, restore, type ScopeFailure } from "./scope-state.ts";
import { settleStep, shownInput } from "./settle-step.ts";
import type { RunWrite } from "../store.ts";

/** A fan-out of thousands of http steps must not open thousands of sockets at once. */
const STEPS_AT_ONCE = 100;

const DONE: WorkEnd = { kind: "done" };

interface LastStep {
  stepId: string;
  output: JsonValue;
  final: boolean;
}

export interface ScopeOptions {
  /** Returns what is written together with the last entry of the scope. */
  onLast?: (last: LastStep) => Promise<Omit<RunWrite, "task" | "entries"> & { after: JournalEntry[] }>;
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
    work(step): WorkEnd | Promise<WorkEnd> {
      if (scope.progress.isSettled(step.id)) return DONE;
      const computed = step.pure && !scope.graph.hasRace ? computeStep(run, scope, step) : undefined;
      if (computed !== undefined) return settleComputed(step, computed);
      if (step.racesTo.length === 0) return workOn(step, scope);
      const stop = createDeadline(undefined, { outer: scope.stop });
      const left = workOn(step, { ...scope, stop });
      racing.set(step.id, { abort: () => stop.abort(), left });
      return left.finally(() => {
        racing.delete(step.id);
        stop.clear();
      });
    },
  });

  /** Nothing can go wrong here but the write, which a note leaves to the next record. */
  function settleComputed(
    step: CompiledStep,
    { output, outputSize, entry }: Computed,
  ): WorkEnd | Promise<WorkEnd> {
    run.outputs.keep(entry.path, output, outputSize);
    const decision = scope.progress.settle(step.id, { status: "completed", output });
    entry.final = decision.final;
    const entries = [entry, ...skipsAfter(decision)];
    const isLast = scope.progress.open() === 0 && onLast !== undefined;
    const recording = isLast
      ? recordLast(onLast, { stepId: step.id, output, final: entry.final }, entries)
      : run.note(entries);
    const follow = (): WorkEnd => {
      startNext(step, decision);
      return DONE;
    };
    return recording === undefined ? follow() : recording.then(follow);
  }

  /** Parallel steps have ended but may not be recorded yet: the end of the task comes after them. */
  async function recordLast(
    close: NonNullable<ScopeOptions["onLast"]>,
    last: LastStep,
    entries: JournalEntry[],
  ): Promise<void> {
    if (settling.size > 0) await Promise.allSettled(settling);
    const { after, ...more } = await close(last);
    await run.record([...entries, ...after], more);
  }

  function startNext(step: CompiledStep, decision: Decision): void {
    forgetUnread(run, scope, [step.id, ...decision.skipped]);
    pool.add(decision.ready.map((id) => scope.graph.steps.get(id)!));
  }

  async function workOn(step: CompiledStep, own: RunScope): Promise<WorkEnd> {
    const path = pathUnder(scope.prefix, step.id);
    const isLost = () => scope.progress.isSettled(step.id);
    const hold = run.deps.largeValues.hold(run.task.ownerId);
    try {
      const execution = await executeTraced(run, own, step, hold, (iteration) => runScope(run, iteration));
      const { outcome, input, inputSize, outputSize, startedAt, logs } = execution;
      if (isLost()) return DONE;
      if (outcome.kind === "waiting") {
        if (outcome.begin !== undefined) await beginWait(run, path, step.type, outcome.begin, execution);
        return { kind: "waiting", due: outcome.due, forApproval: outcome.forApproval === true };
      }
      // Before the settling below: a last step that waits for others to be recorded must never wait for their slots.
      // A step that gets no slot continues: its work is done, and its result must be recorded.
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
          if (scope.progress.open() > 0 || onLast === undefined)
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
      if (decision === undefined && isLost()) return DONE;
      if (decision === undefined) {
        failure ??= {
          error: end.kind === "failed" ? end.error : { code: "step_failed", message: "" },
          path,
        };
        return { kind: "failed" };
      }
      // Steps of the lost branches that wait are dropped when they run again.
      if (decision.lost !== undefined) pool.wake();
      startNext(step, decision);
      return DONE;
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

/** Records that a step waits, once. */
async function beginWait(
  run: Run,
  path: string,
  type: string,
  { openApproval, status, due }: BeginWait,
  { input, startedAt }: Execution,
): Promise<void> {
  if (run.memoryOf(path).waiting?.kind === "wait") return;
  const entry: WaitEntry = {
    seq: UNNUMBERED,
    kind: "wait",
    path,
    type,
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
