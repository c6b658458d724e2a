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

const BATCH_SIZE = 100;

/**
 * Starts due schedules. The task is created first, with an idempotency key of schedule and time; then the schedule
 * advances. A crash in between and concurrent processes therefore start one task per time.
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
    // The workflow was deleted: pausing the schedule shows that it no longer runs.
    await store.advance(schedule.id, schedule.nextRunAt!, workflow === undefined ? null : next, last);
  }

  return createDueLoop({
    clock,
    async takeDue() {
      // Many schedules are due at midnight: waiting for the next poll could exceed the misfire tolerance.
      for (let due; due === undefined || due.length === BATCH_SIZE;) {
        due = await store.listDue(clock.now(), BATCH_SIZE);
        for (const schedule of due) await run(schedule);
      }
      return false;
    },
    nextDue: () => store.nextDueAt(),
    onError(error) {
      // The service is stopping: due schedules stay due for the next process.
      if (error instanceof AppError && error.code === "unavailable") return;
      onError(error, "starting scheduled runs");
    },
  });
}
