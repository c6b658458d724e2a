import { isWithinLoop } from "../../../contract/step-path.ts";
import { traitsOf } from "../../../contract/steps/catalogue.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { LogLine } from "../../../contract/step-log.ts";
import type { CompiledStep } from "../graph/compiled-graph.ts";
import {
  type AttemptEntry,
  type JournalEntry,
  type RerunEntry,
  type StepEntry,
  UNNUMBERED,
} from "../journal/journal-entry.ts";
import { serializeInTurns } from "../../lib/serialize-json.ts";
import { LARGE_VALUE } from "./large-values.ts";
import type { Outcome } from "./outcome.ts";
import { inputText, storeValue } from "../journal/outputs.ts";
import type { Ending } from "../graph/progress.ts";
import { unhandledFailures } from "./rerun.ts";
import { type Failure, repairCheckAt, retryAt } from "./retry.ts";
import type { Run } from "./run.ts";
import type { RunWrite } from "../store.ts";
import type { StepError } from "../tasks/task.ts";

/** What is recorded together with the end of a step. */
export interface Follows {
  final: boolean;
  after: JournalEntry[];
  more?: Omit<RunWrite, "task" | "entries">;
}

/** `waiting` is the time until the next attempt. */
export type SettledEnd =
  | { kind: "done" }
  | { kind: "failed"; error: StepError }
  | { kind: "waiting"; due: number | null };

interface SettleContext {
  input: unknown;
  /** As measured; a large one is serialised in its own turn. */
  inputSize: number;
  outputSize: number;
  startedAt: number;
  logs?: readonly LogLine[] | undefined;
  /** True when another branch has won the race of this step meanwhile: none of it is recorded. */
  isLost?(): boolean;
  /** Decides which steps follow; undefined when the graph does not handle the failure. A promise when others end first. */
  settle?(ending: Ending, output: JsonValue): Follows | undefined | Promise<Follows | undefined>;
}

type SettledStep = Pick<CompiledStep, "type" | "pure" | "maxRetries" | "backoffMultiplier">;

/** Records how an execution ended: with the next attempt due, or with the end of the step and the skips that follow. */
export async function settleStep(
  run: Run,
  path: string,
  step: SettledStep,
  outcome: Outcome,
  { input, inputSize, outputSize, startedAt, logs, isLost, settle }: SettleContext,
): Promise<SettledEnd> {
  const { type, pure } = step;
  const now = run.deps.clock.now();
  if (outcome.kind === "waiting") return { kind: "waiting", due: outcome.due };
  const attempt = run.memoryOf(path).attempts + 1;
  const failure = outcome.kind === "failed" ? outcome.failure : undefined;
  const error = failure === undefined ? null : redacted(run, failure.error);
  const inputJson = inputSize > LARGE_VALUE ? await largeInput(run, input) : redactedInput(run, input);
  const returned = redacted(run, (outcome.kind === "completed" ? outcome.extra : failure?.extra) ?? null);
  // The lines were redacted when they were written.
  const extra = logs === undefined ? returned : { ...returned, logs };
  const due = failure === undefined ? undefined : nextAttemptAt(run, path, step, failure, now);
  if (isLost?.() === true) return { kind: "done" };
  if (due !== undefined && error !== null) {
    const abandoned = outcome.closedWaits ?? [];
    // The next attempt resumes a child that failed before this time, so this must not be earlier than its failure.
    const at = Math.max(now, failure?.failedAt ?? 0);
    const retry: AttemptEntry = {
      seq: UNNUMBERED,
      kind: "attempt",
      path,
      type,
      status: "waiting",
      attempt,
      input: inputJson,
      error,
      extra,
      due,
      startedAt,
      at,
    };
    await run.record([...clearedIterations(run, type, path, abandoned, now), retry], {
      closedWaits: abandoned,
    });
    return { kind: "waiting", due };
  }

  const isLarge = outputSize > LARGE_VALUE;
  const output = isLarge
    ? await largeRedacted(run, outcome.output ?? null)
    : redacted(run, outcome.output ?? null);
  const json = isLarge ? await serializeInTurns(output) : JSON.stringify(output);
  const storing = storeValue(run.task.id, json, run.deps.blobs);
  const stored = storing instanceof Promise ? await storing : storing;
  if (isLost?.() === true) return { kind: "done" };
  run.outputs.keep(path, output, outputSize);
  const settling = settle?.(
    failure === undefined ? { status: "completed", output } : { status: "failed" },
    output,
  );
  const follows = settling instanceof Promise ? await settling : settling;
  const entry: StepEntry = {
    seq: UNNUMBERED,
    kind: "step",
    path,
    type,
    status: error === null ? "completed" : "failed",
    attempt,
    final: follows?.final ?? settle === undefined,
    input: inputJson,
    output: stored.output,
    outputRef: stored.outputRef,
    error,
    extra,
    startedAt,
    at: now,
  };
  const entries = [entry, ...(follows?.after ?? [])];
  if (pure && error === null && follows?.more === undefined) await run.buffer(entries);
  else {
    const closedWaits = [...(outcome.closedWaits ?? []), ...(follows?.more?.closedWaits ?? [])];
    await run.record(entries, { ...follows?.more, ...(closedWaits.length === 0 ? {} : { closedWaits }) });
  }
  return error === null ? { kind: "done" } : { kind: "failed", error };
}

/** Undefined after the last attempt. Attempts that a refused connection caused do not count against `maxRetries`. */
function nextAttemptAt(
  run: Run,
  path: string,
  step: SettledStep,
  failure: Failure,
  now: number,
): number | undefined {
  const { attempts, connectionProblem } = run.memoryOf(path);
  const due = retryAt(now, attempts + 1 - (connectionProblem?.attempts ?? 0), failure, step);
  if (due !== undefined || run.task.options?.waitsForConnections !== true) return due;
  return repairCheckAt(now, connectionProblem?.since ?? now, failure);
}

/** The next attempt of a foreach repeats the iterations that failed or were abandoned; completed ones are kept. */
function clearedIterations(
  run: Run,
  type: string,
  path: string,
  abandoned: readonly string[],
  at: number,
): RerunEntry[] {
  if (traitsOf(type).loop !== true) return [];
  const failed = unhandledFailures(run.memory, run.graph).filter((each) => isWithinLoop(each, path));
  return [{ seq: UNNUMBERED, kind: "rerun", status: "waiting", cleared: [...failed, ...abandoned], at }];
}

export function redactedInput(run: Run, input: unknown): string | null {
  return input === undefined ? null : inputText(JSON.stringify(redacted(run, input)));
}

async function largeInput(run: Run, input: unknown): Promise<string> {
  return inputText(await serializeInTurns(await largeRedacted(run, input)));
}

async function largeRedacted<T>(run: Run, value: T): Promise<T> {
  await run.deps.largeValues.turn();
  return run.redactor === undefined ? value : run.redactor.valueInTurns(value);
}

/** No secret enters the journal, and later steps see the redacted value too. */
export function redacted<T>(run: Run, value: T): T {
  return run.redactor === undefined ? value : (run.redactor.value(value as never) as T);
}
