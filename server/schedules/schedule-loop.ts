import { createDueLoop, type DueLoop } from "../engine/worker/due-loop.ts";
import type { Engine, RunnableWorkflow } from "../engine/engine-api.ts";
import type { Clock } from "../lib/clock.ts";
import { toIso } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { dueRuns } from "./occurrences.ts";
import type { ScheduleRecord, ScheduleStore } from "./schedule.sql.ts";

export interface ScheduleLoopDeps {
  store: Pick<ScheduleStore, "listDue" | "nextDueAt" | "advance">;
  engine: Pick<Engine, "start">;
  /** The newest version; undefined when the workflow was deleted. */
  currentWorkflow(workflowId: string, ownerId: string): Promise<RunnableWorkflow | undefined>;
  clock: Clock;
  onError(error: unknown, what: string): void;
}

const AT_ONCE = 100;

/**
 * Starts what is due. The task is made first, under a key that names schedule and time, and the schedule moves on
 * then: whatever dies in between, and however many processes look, each time makes one task.
 */
export function createScheduleLoop({
  store,
  engine,
  currentWorkflow,
  clock,
  onError,
}: ScheduleLoopDeps): DueLoop {
  async function run(schedule: ScheduleRecord): Promise<void> {
    const { times, next } = dueRuns(schedule, clock.now());
    const workflow = await currentWorkflow(schedule.workflowId, schedule.ownerId);
    let last: { at: number; taskId: string } | undefined;
    for (const time of workflow === undefined ? [] : times) {
      const { taskId } = await engine.start({
        workflow: workflow!,
        trigger: "schedule",
        input: schedule.input,
        idempotency: { scope: `schedule:${schedule.id}`, key: toIso(time), bodyHash: "" },
      });
      last = { at: clock.now(), taskId };
    }
    // A deleted workflow does not come back: its schedule must not look as if it still ran.
    await store.advance(schedule.id, schedule.nextRunAt!, workflow === undefined ? null : next, last);
  }

  return createDueLoop({
    clock,
    async takeDue() {
      // At midnight many are due together: whoever waits for the next look may come too late for its own rule.
      for (let due; due === undefined || due.length === AT_ONCE;) {
        due = await store.listDue(clock.now(), AT_ONCE);
        for (const schedule of due) await run(schedule);
      }
      return false;
    },
    nextDue: () => store.nextDueAt(),
    onError(error) {
      // The service is stopping: what is due stays due, for the next process.
      if (error instanceof AppError && error.code === "unavailable") return;
      onError(error, "starting scheduled runs");
    },
  });
}
