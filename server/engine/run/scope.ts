import { pathUnder } from "../../../contract/step-path.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { CompiledStep } from "../graph/compiled-graph.ts";
import { type Computed, computeStep } from "./compute-step.ts";
import type { Execution } from "./execute-step.ts";
import { executeTraced } from "./execute-traced.ts";
import type { JournalEntry, StepEntry } from "../journal/journal-entry.ts";
import { type LargeHold, LARGE_VALUE } from "./large-values.ts";
import { OpenRecords } from "./open-records.ts";
import { createPool, type WorkEnd } from "./pool.ts";
import { type Decision, handlesFailure } from "../graph/progress.ts";
import { createRace } from "./race.ts";
import { recordWait } from "./record-wait.ts";
import type { Run, RunScope, ScopeEnd } from "./run.ts";
import { branchFailure, dropReadOutputs, restore, type ScopeFailure } from "./scope-state.ts";
import { type Follows, type SettledEnd, settleStep } from "./settle-step.ts";
import { skipEntries } from "./skip-entries.ts";
import type { RunWrite } from "../store.ts";

/** A fan-out of thousands of http steps must not open thousands of sockets at once. */
const STEPS_AT_ONCE = 100;

const DONE: WorkEnd = { kind: "done" };

interface LastStep {
  stepId: string;
  output: JsonValue;
  final: boolean;
}

/** What is written together with the last entry of a scope. */
export interface LastWrite {
  after: JournalEntry[];
  more: Omit<RunWrite, "task" | "entries">;
}

export interface ScopeOptions {
  onLast?: (last: LastStep) => Promise<LastWrite>;
}

/** Runs a graph from the state that the journal has, until it is done, has failed, or only waits. */
export async function runScope(run: Run, scope: RunScope, { onLast }: ScopeOptions = {}): Promise<ScopeEnd> {
  let failure: ScopeFailure | undefined;
  /** No branch of a race has succeeded: the run fails, also when a step beside it ends last. */
  let hasFailedJoin = false;
  /** Whether a step writes the end of the scope together with its own. */
  let isClosing = false;
  const records = new OpenRecords();
  const { ready, skipped, lost, failed } = restore(run, scope);
  // The failure was recorded before a crash; the step is not executed again.
  if (failed !== undefined) return { kind: "failed", ...failed };
  /** Disabled steps at the beginning are recorded with the first step that ends. */
  let unrecorded = skipEntries(run, scope, { skipped, lost });
  const race = scope.graph.hasRace ? createRace(run, scope) : undefined;

  const pool = createPool<CompiledStep>({
    limit: STEPS_AT_ONCE,
    waitingHoldsSlot: false,
    clock: run.deps.clock,
    stop: run.stop,
    onError: () => void (run.isDraining = true),
    work(step): WorkEnd | Promise<WorkEnd> {
      if (scope.progress.isSettled(step.id)) return DONE;
      const computed = step.pure && race === undefined ? computeStep(run, scope, step) : undefined;
      if (computed !== undefined) return settleComputed(step, computed);
      if (race === undefined || step.racesTo.length === 0) return workOn(step, scope);
      return race.work(step, (own) => workOn(step, own));
    },
  });

  /** Nothing can go wrong here but the write, and a buffered entry leaves that to the next record. */
  function settleComputed(
    step: CompiledStep,
    { output, outputSize, entry }: Computed,
  ): WorkEnd | Promise<WorkEnd> {
    run.outputs.keep(entry.path, output, outputSize);
    const decision = scope.progress.settle(step.id, { status: "completed", output });
    entry.final = decision.final;
    const entries = [entry, ...skipsAfter(decision)];
    const recording =
      scope.progress.open() === 0 && onLast !== undefined
        ? recordLast(onLast, { stepId: step.id, output, final: entry.final }, entries)
        : run.buffer(entries);
    const follow = (): WorkEnd => {
      startNext(step, decision);
      return DONE;
    };
    return recording === undefined ? follow() : recording.then(follow);
  }

  async function recordLast(
    close: NonNullable<ScopeOptions["onLast"]>,
    last: LastStep,
    entries: JournalEntry[],
  ): Promise<void> {
    const { after, more } = await closeAfter(0, close, last);
    await run.record([...entries, ...after], more);
  }

  /** Parallel steps have ended but may not be recorded yet: the end of the task comes after them and depends on them. */
  async function closeAfter(
    ownRecords: 0 | 1,
    close: NonNullable<ScopeOptions["onLast"]>,
    last: LastStep,
  ): Promise<LastWrite> {
    isClosing = true;
    const others = records.downTo(ownRecords);
    if (others !== undefined) await others;
    return close(last);
  }

  async function workOn(step: CompiledStep, own: RunScope): Promise<WorkEnd> {
    const hold = run.deps.largeValues.hold(run.task.ownerId);
    try {
      const execution = await executeTraced(run, own, step, hold, (iteration) => runScope(run, iteration));
      if (scope.progress.isSettled(step.id)) return DONE;
      return await settleExecuted(step, own, execution, hold);
    } finally {
      hold.release();
    }
  }

  async function settleExecuted(
    step: CompiledStep,
    own: RunScope,
    execution: Execution,
    hold: LargeHold,
  ): Promise<WorkEnd> {
    const path = pathUnder(scope.prefix, step.id);
    const { outcome, input, inputSize, outputSize, startedAt, logs } = execution;
    if (outcome.kind === "waiting") {
      if (outcome.begin !== undefined) await recordWait(run, path, step.type, outcome.begin, execution);
      return { kind: "waiting", due: outcome.due, forApproval: outcome.forApproval === true };
    }
    // Before the settling below: a last step that waits for others to be recorded must never wait for their slots.
    // A step that gets no slot continues: its work is done, and its result must be recorded.
    if (outputSize > LARGE_VALUE) await hold.take(own.stop.signal).catch(() => undefined);
    let decision: Decision | undefined;
    const isLost = () => scope.progress.isSettled(step.id);
    let end: SettledEnd;
    records.begin();
    try {
      // Field by field: a spread that is followed by new fields takes 3 µs.
      end = await settleStep(run, path, step, outcome, {
        input,
        inputSize,
        outputSize,
        startedAt,
        logs,
        isLost,
        settle(ending, output) {
          if (ending.status === "failed" && !handlesFailure(step)) return undefined;
          decision = scope.progress.settle(step.id, ending);
          if (decision.failedJoin !== undefined) hasFailedJoin = true;
          return decision.failedJoin === undefined ? followsOf(step, decision, output) : undefined;
        },
      });
    } finally {
      records.end();
    }
    if (end.kind === "waiting") return end;
    if (decision === undefined && isLost()) return DONE;
    if (decision === undefined || decision.failedJoin !== undefined) {
      // The branches that failed before this one count too.
      if (decision?.failedJoin !== undefined) await records.downTo(0);
      failure ??= failureOf(path, end, decision?.failedJoin);
      return { kind: "failed" };
    }
    // Steps of the lost branches that wait are dropped when they run again.
    if (decision.lost !== undefined) pool.wake();
    startNext(step, decision);
    return DONE;
  }

  function followsOf(step: CompiledStep, decision: Decision, output: JsonValue): Follows | Promise<Follows> {
    const isLast = scope.progress.open() === 0 && onLast !== undefined && !hasFailedJoin;
    if (isLast || decision.lost !== undefined) return followsOthers(step, decision, output);
    return { final: decision.final, after: skipsAfter(decision) };
  }

  /** Waits for other branches first: for those that have lost, and before the last entry for all. */
  async function followsOthers(step: CompiledStep, decision: Decision, output: JsonValue): Promise<Follows> {
    const { final } = decision;
    const closed = decision.lost === undefined ? undefined : await race?.endLost(decision);
    // A step that has ended meanwhile may be closing: it waits until this one is recorded.
    if (scope.progress.open() > 0 || onLast === undefined || hasFailedJoin || isClosing)
      return { final, after: skipsAfter(decision), ...(closed === undefined ? {} : { more: closed }) };
    const { after, more } = await closeAfter(1, onLast, { stepId: step.id, output, final });
    return {
      final,
      after: [...skipsAfter(decision), ...after],
      more: closed === undefined ? more : { ...closed, ...more },
    };
  }

  function skipsAfter(decision: Decision): StepEntry[] {
    const entries = [...unrecorded, ...skipEntries(run, scope, decision)];
    unrecorded = [];
    return entries;
  }

  function startNext(step: CompiledStep, decision: Decision): void {
    dropReadOutputs(run, scope, [step.id, ...decision.skipped]);
    pool.add(decision.ready.map((id) => scope.graph.steps.get(id)!));
  }

  function failureOf(path: string, end: SettledEnd, failedJoin: string | undefined): ScopeFailure {
    if (failedJoin !== undefined) return branchFailure(run, scope, failedJoin);
    return { error: end.kind === "failed" ? end.error : { code: "step_failed", message: "" }, path };
  }

  run.pools.add(pool as never);
  pool.add(ready.map((id) => scope.graph.steps.get(id)!));
  const end = await pool.end.finally(() => run.pools.delete(pool as never));
  if (unrecorded.length > 0) await run.record(unrecorded);
  if (failure !== undefined) return { kind: "failed", ...failure };
  return end.kind === "waiting" ? end : { kind: "done" };
}
