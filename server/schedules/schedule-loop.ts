import { createDueLoop, type DueLoop } from "../engine/due-loop.ts";
import type { Engine, RunnableWorkflow } from "../engine/engine-api.ts";
import type { Clock } from "../lib/clock.ts";
import { toIso } from "../lib/clock.ts";
import { dueRuns } from "./occurrences.ts";
import type { ScheduleRecord, ScheduleStore } from "./schedule-store.ts";

export interface ScheduleLoopDeps {
  store: ScheduleStore;
  engine: Pick<Engine, "start">;
  /** Today's version; undefined when the workflow is gone. */
  runnable(workflowId: string, ownerId: string): Promise<RunnableWorkflow | undefined>;
  clock: Clock;
  onError(error: unknown, what: string): void;
}

const AT_ONCE = 100;

/**
 * Starts what is due. The task is made first, under a key that names schedule and time, and the schedule moves on
 * then: whatever dies in between, and however many processes look, each time makes one task.
 */
export function createScheduleLoop({ store, engine, runnable, clock, onError }: ScheduleLoopDeps): DueLoop {
  async function run(schedule: ScheduleRecord): Promise<void> {
    const { times, next } = dueRuns(schedule, clock.now());
    const workflow = await runnable(schedule.workflowId, schedule.ownerId);
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
    await store.advance(schedule.id, schedule.nextRunAt!, next, last);
  }

  return createDueLoop({
    clock,
    async takeDue() {
      // At midnight many are due together: whoever waits for the next look may come too late for its own rule.
      for (let due; due === undefined || due.length === AT_ONCE;) {
        due = await store.due(clock.now(), AT_ONCE);
        for (const schedule of due) await run(schedule);
      }
      return false;
    },
    nextDue: () => store.nextDue(),
    onError: (error) => onError(error, "starting scheduled runs"),
  });
}
