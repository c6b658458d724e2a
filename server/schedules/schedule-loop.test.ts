import { expect, test } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { unavailable } from "../lib/errors.ts";
import { createScheduleLoop } from "./schedule-loop.ts";
import type { ScheduleRecord, ScheduleStore } from "./schedule.sql.ts";

const due = {
  id: "sch_1",
  cron: "* * * * *",
  timezone: "UTC",
  input: {},
  active: true,
  misfire: "run_once",
  nextRunAt: 1,
} as ScheduleRecord;
const workflow = { id: "wf_1", ownerId: "user_1", name: "", version: 1, graph: { steps: [], edges: [] } };

test.each([
  ["a service that is stopping", unavailable("The service is stopping and takes no new work."), 0],
  ["anything else", new Error("no disk"), 1],
])(
  "a run rejected by %s leaves the schedule due; only a failure is reported",
  async (_cause, error, reported) => {
    const advanced: string[] = [];
    const store: Pick<ScheduleStore, "listDue" | "nextDueAt" | "advance"> = {
      listDue: () => Promise.resolve([due]),
      nextDueAt: () => Promise.resolve(due.nextRunAt),
      advance: (id) => Promise.resolve(void advanced.push(id)),
    };
    const errors: unknown[] = [];
    const loop = createScheduleLoop({
      store,
      engine: { start: () => Promise.reject(error) },
      currentWorkflow: () => Promise.resolve(workflow),
      clock: systemClock,
      onError: (thrown) => errors.push(thrown),
    });
    loop.poll();
    await loop.close();
    expect([advanced, errors.length]).toEqual([[], reported]);
  },
);
