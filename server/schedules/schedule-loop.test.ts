import { expect, onTestFinished, test } from "vitest";
import { openTestDb } from "../../test/support/open-db.ts";
import type { StartTask } from "../engine/engine-api.ts";
import { systemClock } from "../lib/clock.ts";
import { AppError, unavailable } from "../lib/errors.ts";
import { createScheduleClaims } from "./schedule-claims.sql.ts";
import { createScheduleLoop, type ScheduleLoopDeps } from "./schedule-loop.ts";
import { insertSchedule, insertWorkflow } from "./testing/schedule-samples.ts";

const DUE = Date.parse("2026-01-01T01:00:00Z");
const workflow = {
  id: "wf_1",
  ownerId: "user_1",
  name: "",
  isActive: true,
  version: 1,
  graph: { steps: [], edges: [] },
};

async function open() {
  const { db, close } = await openTestDb();
  onTestFinished(close);
  await insertWorkflow(db);
  const claims = createScheduleClaims(db);
  const time = { now: DUE + 1000 };
  const errors: unknown[] = [];

  /** Polls once, as one process. */
  async function poll(start: (request: StartTask) => Promise<void>, more: Partial<ScheduleLoopDeps> = {}) {
    const loop = createScheduleLoop({
      claims,
      engine: {
        async start(request) {
          await start(request);
          return { taskId: `task_${request.idempotency!.scope}`, status: "running", existing: false };
        },
        cancel: () => Promise.resolve(true),
      },
      currentWorkflow: () => Promise.resolve(workflow),
      clock: { ...systemClock, now: () => time.now },
      onError: (error) => errors.push(error),
      ...more,
    });
    loop.poll();
    await loop.close();
  }
  const dueAgain = (afterMs: number) => claims.hasDue(time.now + afterMs, time.now + afterMs);
  return { db, claims, time, errors, poll, dueAgain };
}

const keyOf = ({ idempotency }: StartTask) => `${idempotency!.scope} ${idempotency!.key}`;

test("a run rejected by a service that is stopping leaves the schedule due at once, and nothing is reported", async () => {
  const { db, poll, errors, dueAgain } = await open();
  await insertSchedule(db, "sch_1", DUE);
  await poll(() => Promise.reject(unavailable("The service is stopping and takes no new work.")));
  expect([errors, await dueAgain(0)]).toEqual([[], true]);
});

test("a schedule that fails is reported, holds nobody up and is tried again when its claim expires", async () => {
  const { db, poll, errors, dueAgain } = await open();
  await insertSchedule(db, "sch_1", DUE - 1);
  await insertSchedule(db, "sch_2", DUE);
  const started: string[] = [];
  await poll((request) => {
    if (request.idempotency!.scope === "schedule:sch_1") return Promise.reject(new Error("no disk"));
    return Promise.resolve(void started.push(keyOf(request)));
  });
  expect(started).toEqual(["schedule:sch_2 2026-01-01T01:00:00.000Z"]);
  expect(errors).toMatchObject([{ message: "no disk" }]);
  expect([await dueAgain(0), await dueAgain(30_000)]).toEqual([false, true]);
});

test("a run starts although a newer input schema would refuse the input of the schedule", async () => {
  const { db, poll } = await open();
  await insertSchedule(db, "sch_1", DUE);
  const started: StartTask[] = [];
  await poll((request) => Promise.resolve(void started.push(request)));
  expect(started).toMatchObject([{ inputUnchecked: true }]);
});

test.each(["run_skipped", "account_disabled"] as const)(
  "a run that is skipped with %s is recorded at the schedule, which goes on",
  async (code) => {
    const { db, poll, errors, dueAgain } = await open();
    await insertSchedule(db, "sch_1", DUE);
    await poll(() => Promise.reject(new AppError(code, "Not now.")));
    const [row] = await db.query("select last_skip_reason, last_task_id from schedule");
    expect(row).toEqual({ last_skip_reason: code, last_task_id: null });
    expect([errors, await dueAgain(30_000)]).toEqual([[], false]);
  },
);

test("due schedules start in parallel", async () => {
  const { db, poll } = await open();
  for (let n = 0; n < 50; n += 1) await insertSchedule(db, `sch_${n}`, DUE);
  let starting = 0;
  let allAreStarting: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (allAreStarting = resolve));
  await poll(async () => {
    starting += 1;
    if (starting === 50) allAreStarting();
    await gate;
  });
  expect(starting).toBe(50);
});

test("[R5] a punctual run is not missed because hundreds of others were started before it", async () => {
  const { db, poll, time } = await open();
  for (let n = 0; n < 250; n += 1) await insertSchedule(db, `sch_${n}`, DUE, { misfire: "skip" });
  const started = new Set<string>();
  await poll((request) => {
    time.now += 1000;
    return Promise.resolve(void started.add(keyOf(request)));
  });
  expect(started.size).toBe(250);
});

test("[R5] a process that dies between start and advance neither loses the run nor repeats it", async () => {
  const { db, claims, poll, time, errors } = await open();
  await insertSchedule(db, "sch_1", DUE, { misfire: "skip" });
  const started: string[] = [];
  const start = (request: StartTask) => Promise.resolve(void started.push(keyOf(request)));
  const crashing = { ...claims, advance: () => Promise.reject(new Error("killed")) };
  await poll(start, { claims: crashing });
  expect(errors).toMatchObject([{ message: "killed" }]);
  // Ten minutes later the run would count as missed, had it not been claimed in time.
  time.now = DUE + 600_000;
  await poll(start);
  const key = "schedule:sch_1 2026-01-01T01:00:00.000Z";
  // The key makes both starts one task.
  expect(started).toEqual([key, key]);
  await poll(start);
  expect(started).toHaveLength(2);
});
