import { isInLoop } from "../../../contract/step-path.ts";
import type { LogLine } from "../../../contract/step-log.ts";
import { traitsOf } from "../../../contract/steps/catalogue.ts";
import type { JournalEntry, StepJournalEntry } from "../journal/journal-entry.ts";
import type { RunningStep } from "../run/step-log.ts";
import type { ResponseBudget } from "./response-budget.ts";
import type { StepResult } from "./task.ts";
import { type Spent, spentByLoop, sumSpent } from "./token-usage.ts";

/** What the entries of one step add up to. */
interface StepSum {
  newest: StepJournalEntry;
  /** When the first attempt began, however many attempts and waits came after it. */
  startedAt: number | null;
  input: string | null;
  /** By all attempts together: failed ones are charged, too. */
  spent: Spent;
  omittedInputBytes: number;
}

/** One result per step, in the order of their first entries; iterations of a foreach are part of its output. */
export async function stepResultsOf(
  entries: readonly JournalEntry[],
  running: ReadonlyMap<string, RunningStep>,
  budget: ResponseBudget,
): Promise<StepResult[]> {
  const sums = new Map<string, StepSum>();
  const isLoop = loopsOf(entries, running);
  for (const entry of entries) {
    if (entry.kind === "rerun") for (const path of entry.cleared) sums.delete(path);
    else if (entry.kind !== "status" && !isInLoop(entry.path, isLoop))
      sums.set(entry.path, add(sums.get(entry.path), entry));
  }
  const results: StepResult[] = [];
  const loopSpent = spentByLoop(entries, isLoop);
  for (const [path, sum] of sums) {
    const result = await toResult(path, sum, running.get(path), budget);
    results.push({ ...result, ...sum.spent, ...loopSpent.get(path) });
  }
  for (const [path, { type, startedAt, log }] of running) {
    if (sums.has(path) || isInLoop(path, isLoop)) continue;
    results.push({
      ...BLANK,
      stepId: path,
      type,
      status: "running",
      startedAt,
      ...linesOf(path, log?.lines, budget),
    });
  }
  return results;
}

/** By type, not by the form of a path: the id of a plain step may end like an iteration, as `a[0]` does. */
function loopsOf(
  entries: readonly JournalEntry[],
  running: ReadonlyMap<string, { type: string }>,
): (path: string) => boolean {
  const loops = new Set<string>();
  for (const entry of entries)
    if ("path" in entry && traitsOf(entry.type).loop === true) loops.add(entry.path);
  for (const [path, { type }] of running) if (traitsOf(type).loop === true) loops.add(path);
  return (path) => loops.has(path);
}

const BLANK = {
  input: null,
  output: null,
  error: null,
  attempts: 1,
  startedAt: null,
  completedAt: null,
  durationMs: null,
} as const;

function add(sum: StepSum | undefined, newest: StepJournalEntry): StepSum {
  const input = newest.kind === "items" ? null : newest.input;
  const extra = newest.kind === "step" || newest.kind === "attempt" ? newest.extra : null;
  return {
    newest,
    startedAt: sum?.startedAt ?? newest.startedAt,
    input: input ?? sum?.input ?? null,
    spent: extra === null ? (sum?.spent ?? {}) : sumSpent([sum?.spent ?? null, extra]),
    omittedInputBytes: (newest.omitted?.input ?? 0) || (sum?.omittedInputBytes ?? 0),
  };
}

function linesOf(
  path: string,
  lines: readonly LogLine[] | undefined,
  budget: ResponseBudget,
): { logs?: readonly LogLine[] } {
  return lines === undefined ? {} : { logs: budget.logs(path, lines) };
}

async function toResult(
  stepId: string,
  { newest, startedAt, input, omittedInputBytes }: StepSum,
  running: RunningStep | undefined,
  budget: ResponseBudget,
): Promise<StepResult> {
  const hasEnded = newest.kind === "step";
  const hasAttempt = hasEnded || newest.kind === "attempt";
  const due = newest.kind === "attempt" || newest.kind === "wait" ? newest.due : null;
  const completedAt = hasEnded ? newest.at : null;
  const isRunning = running !== undefined && !hasEnded;
  const { logs, ...extra } = (hasAttempt ? newest.extra : null) ?? {};
  return {
    ...extra,
    // Those of the attempt in progress, or else of the last one.
    ...linesOf(stepId, isRunning ? running.log?.lines : (logs as LogLine[] | undefined), budget),
    stepId,
    type: newest.type,
    status: isRunning ? "running" : newest.status,
    input: await budget.input(input, omittedInputBytes),
    output: hasEnded ? await budget.output(newest) : null,
    error: hasAttempt ? newest.error : null,
    attempts: hasAttempt ? newest.attempt : 0,
    startedAt,
    completedAt,
    durationMs: completedAt === null || startedAt === null ? null : completedAt - startedAt,
    ...(due === null ? {} : { dueAt: due }),
  };
}
