import { createDueLoop, type DueLoop } from "../engine/worker/due-loop.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { Clock } from "../lib/clock.ts";
import { toIso } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { dueRuns } from "./occurrences.ts";
import { planRuns } from "./overlap.ts";
import type { CurrentWorkflow } from "../workflows/runnable-workflow.sql.ts";
import type { Advance, ClaimedSchedule, ScheduleClaims } from "./schedule-claims.sql.ts";

export interface ScheduleLoopDeps {
  claims: ScheduleClaims;
  engine: Pick<Engine, "start" | "cancel">;
  /** The newest version; undefined when the workflow was deleted. */
  currentWorkflow(workflowId: string, ownerId: string): Promise<CurrentWorkflow | undefined>;
  clock: Clock;
  onError(error: unknown, what: string): void;
}

/** Schedules claimed and started at the same time. */
const BATCH_SIZE = 100;

/**
 * Starts due schedules. A schedule is claimed by one process, then its task is created with an idempotency key of schedule
 * and time, then it advances. After a crash in between the claim expires, and the next process finds the same task.
 */
export function createScheduleLoop({
  claims,
  engine,
  currentWorkflow,
  clock,
  onError,
}: ScheduleLoopDeps): DueLoop {
  async function run(schedule: ClaimedSchedule): Promise<void> {
    const { times, next } = dueRuns(schedule, schedule.claimedAt);
    const workflow = await currentWorkflow(schedule.workflowId, schedule.ownerId);
    // The workflow was deleted: pausing the schedule shows that it no longer runs.
    if (workflow === undefined)
      return claims.advance(schedule, { next: null, waitingAt: null, last: undefined });
    if (!workflow.isActive) {
      const skipped = { at: clock.now(), reason: "workflow_paused" };
      return claims.advance(schedule, { next, waitingAt: null, last: undefined, skipped });
    }
    const { starts, waitsFor, cancelsPrevious } = planRuns(schedule, times);
    if (cancelsPrevious && schedule.lastTaskId !== null) await engine.cancel(schedule.lastTaskId);
    let last: Advance["last"];
    let skipped: Advance["skipped"];
    for (const time of starts) {
      const started = await engine
        .start({
          workflow,
          trigger: "schedule",
          input: schedule.input,
          // Checked when the schedule was saved. A newer schema must not stop the runs without anyone noticing.
          inputUnchecked: true,
          idempotency: { scope: `schedule:${schedule.id}`, key: toIso(time), bodyHash: "" },
        })
        .catch(asSkipped);
      if ("reason" in started) skipped = { at: clock.now(), reason: started.reason };
      else last = { at: clock.now(), taskId: started.taskId };
    }
    await claims.advance(schedule, {
      next,
      waitingAt: waitsFor,
      last,
      ...(skipped === undefined ? {} : { skipped }),
    });
  }

  /** A failed schedule keeps its claim and is tried again when that expires. The first failure is returned. */
  async function runAll(claimed: readonly ClaimedSchedule[]): Promise<Error | undefined> {
    const ends = await Promise.allSettled(claimed.map(run));
    const failed = ends.filter((end) => end.status === "rejected");
    const stopping = failed.find(({ reason }) => isStopping(reason));
    if (stopping === undefined) return failed[0]?.reason as Error | undefined;
    await claims.release(claimed);
    throw stopping.reason;
  }

  return createDueLoop({
    clock,
    async takeDue() {
      // All batches are judged by one time: a run must not count as missed because others were started before it.
      const dueBy = clock.now();
      let failure: Error | undefined;
      while (await claims.hasDue(dueBy, clock.now())) {
        const claimed = await claims.claim(dueBy, clock.now(), BATCH_SIZE);
        // Another process has claimed them.
        if (claimed.length === 0) break;
        failure = (await runAll(claimed)) ?? failure;
      }
      if (failure !== undefined) throw failure;
      return false;
    },
    nextDue: () => claims.nextDueAt(clock.now()),
    onError(error) {
      if (!isStopping(error)) onError(error, "starting scheduled runs");
    },
  });
}

/** The settings of the workflow allow no further run now, or the account is disabled. */
function asSkipped(error: unknown): { reason: string } {
  if (error instanceof AppError && (error.code === "run_skipped" || error.code === "account_disabled"))
    return { reason: error.code };
  throw error;
}

/** The service is stopping: due schedules stay due for the next process. */
function isStopping(error: unknown): boolean {
  return error instanceof AppError && error.code === "unavailable";
}
