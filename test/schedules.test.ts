import { expect, test } from "vitest";
import { systemClock } from "../server/lib/clock.ts";
import { clientOf } from "./support/client.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";

const step = { stepId: "hello", type: "transform", template: "{{input.who}}" };

async function workflowOf(user: Awaited<ReturnType<typeof registerUser>>): Promise<string> {
  const { body } = await user.post("/api/workflows", { name: "Greet", metadata: { steps: [step] } });
  return body.workflow.id;
}

test("a schedule starts its workflow once at each of its times", async () => {
  const app = await useTestApp({ SCHEDULE_MIN_INTERVAL_SECONDS: "0" });
  const ada = await registerUser(app);
  const workflowId = await workflowOf(ada);
  const created = await ada.post("/api/schedules", {
    workflowId,
    cron: "* * * * * *",
    input: { who: "Ada" },
  });
  expect(created).toMatchObject({
    status: 201,
    body: { ok: true, schedule: { active: true, timezone: "UTC", misfire: "run_once" } },
  });
  const tasks = async () => (await ada.get(`/api/tasks?workflowId=${workflowId}`)).body.tasks;
  await expect.poll(async () => (await tasks()).length, { timeout: 10_000 }).toBeGreaterThanOrEqual(2);
  await ada.patch(`/api/schedules/${created.body.schedule.id}`, { active: false });
  const { body } = await ada.get(`/api/schedules/${created.body.schedule.id}`);
  expect(body.schedule).toMatchObject({
    active: false,
    nextRunAt: null,
    lastTaskId: expect.stringMatching(/^task_/),
  });
  for (const task of await tasks()) expect(task.trigger).toBe("schedule");
});

test("[R5] a run missed while the service was down starts at the next start", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app);
  const workflowId = await workflowOf(ada);
  await ada.post("/api/schedules", { workflowId, cron: "0 0 * * *" });
  await app.stop();
  const tomorrow = { now: () => Date.now() + 48 * 3600_000, monotonic: () => performance.now() };
  const later = await useTestApp({}, { dataDir: app.dataDir, clock: tomorrow });
  const again = clientOf(later.http, ada.token);
  await expect
    .poll(async () => (await again.get(`/api/tasks?workflowId=${workflowId}`)).body.tasks.length)
    .toBe(1);
});

test("invalid cron patterns and workflows of other users are rejected", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app);
  const eve = await registerUser(app);
  const workflowId = await workflowOf(ada);
  expect(await ada.post("/api/schedules", { workflowId, cron: "sometimes" })).toMatchObject({
    status: 400,
    body: { error: "invalid_request" },
  });
  expect(await eve.post("/api/schedules", { workflowId, cron: "0 * * * *" })).toMatchObject({
    status: 403,
    body: { error: "forbidden" },
  });
  const { body } = await ada.post("/api/schedules", { workflowId, cron: "0 * * * *" });
  for (const method of ["GET", "PATCH", "DELETE"]) {
    expect(
      await eve.call(`/api/schedules/${body.schedule.id}`, {
        method,
        body: method === "PATCH" ? {} : undefined,
      }),
    ).toMatchObject({ status: 403 });
  }
  expect(await ada.get("/api/schedules/sch_nothing")).toMatchObject({
    status: 404,
    body: { error: "schedule_not_found" },
  });
  expect(await ada.delete(`/api/schedules/${body.schedule.id}`)).toMatchObject({
    status: 200,
    body: { ok: true },
  });
});

test("a schedule that would run every ten seconds is refused with the setting to change", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app);
  const workflowId = await workflowOf(ada);
  expect(await ada.post("/api/schedules", { workflowId, cron: "*/10 * * * * *" })).toMatchObject({
    status: 400,
    body: {
      error: "invalid_request",
      message: expect.stringContaining("SCHEDULE_MIN_INTERVAL_SECONDS"),
      details: [{ path: "cron", message: "must be at least 60 seconds apart" }],
    },
  });
});

test("[R5] renaming a due schedule does not skip its run", async () => {
  let now = Date.parse("2026-01-01T00:30:00Z");
  const app = await useTestApp({}, { clock: { ...systemClock, now: () => now } });
  const ada = await registerUser(app);
  const workflowId = await workflowOf(ada);
  const { schedule } = (await ada.post("/api/schedules", { workflowId, cron: "0 * * * *" })).body;
  now = Date.parse("2026-01-01T01:00:01Z");
  await ada.patch(`/api/schedules/${schedule.id}`, { name: "Hourly" });
  const tasks = async () => (await ada.get(`/api/tasks?workflowId=${workflowId}`)).body.tasks;
  await expect.poll(async () => (await tasks()).length, { timeout: 10_000 }).toBe(1);
});

test("the schedule of a deleted workflow is paused and stays visible", async () => {
  let now = Date.parse("2026-01-01T00:30:00Z");
  const app = await useTestApp({}, { clock: { ...systemClock, now: () => now } });
  const ada = await registerUser(app);
  const workflowId = await workflowOf(ada);
  const { schedule } = (await ada.post("/api/schedules", { workflowId, cron: "0 * * * *" })).body;
  await ada.delete(`/api/workflows/${workflowId}`);
  now = Date.parse("2026-01-01T01:00:01Z");
  await ada.patch(`/api/schedules/${schedule.id}`, { name: "Wake up" });
  await expect
    .poll(async () => (await ada.get(`/api/schedules/${schedule.id}`)).body.schedule)
    .toMatchObject({ active: false, nextRunAt: null, lastTaskId: null });
});

test("all schedules that are due at one time start then", async () => {
  let now = Date.parse("2026-01-01T00:30:00Z");
  const app = await useTestApp({}, { clock: { ...systemClock, now: () => now } });
  const ada = await registerUser(app);
  const workflowId = await workflowOf(ada);
  const hourly = { workflowId, cron: "0 * * * *", misfire: "skip" };
  const created = await Promise.all(Array.from({ length: 150 }, () => ada.post("/api/schedules", hourly)));
  now = Date.parse("2026-01-01T01:00:01Z");
  await ada.patch(`/api/schedules/${created[0]!.body.schedule.id}`, { name: "Wake up" });
  const tasks = async () => (await ada.get(`/api/tasks?workflowId=${workflowId}&limit=200`)).body.tasks;
  await expect.poll(async () => (await tasks()).length).toBe(150);
});

/** An hourly schedule of a workflow that waits for an approval. `at` sets the hour and lets the loop claim what is due. */
async function hourlyApproval(overlap: string) {
  let now = Date.parse("2026-01-01T00:30:00Z");
  const app = await useTestApp({}, { clock: { ...systemClock, now: () => now } });
  const ada = await registerUser(app);
  const { workflow } = (
    await ada.post("/api/workflows", {
      name: "Ask",
      metadata: { steps: [{ stepId: "ask", type: "approval", message: "Go on?" }] },
    })
  ).body;
  const { schedule } = (
    await ada.post("/api/schedules", { workflowId: workflow.id, cron: "0 * * * *", overlap })
  ).body;
  expect(schedule.overlap).toBe(overlap);
  const tasks = async (): Promise<{ id: string; status: string }[]> =>
    (await ada.get(`/api/tasks?workflowId=${workflow.id}`)).body.tasks.toReversed();
  const statuses = async () => (await tasks()).map(({ status }) => status);
  return {
    ada,
    tasks,
    statuses,
    async at(hour: number) {
      const next = `2026-01-01T0${hour + 1}:00:00.000Z`;
      now = Date.parse(`2026-01-01T0${hour}:00:01Z`);
      await ada.patch(`/api/schedules/${schedule.id}`, { name: `Hour ${hour}` });
      await expect
        .poll(async () => (await ada.get(`/api/schedules/${schedule.id}`)).body.schedule.nextRunAt)
        .toBe(next);
      await expect.poll(statuses).not.toContain("running");
    },
  };
}

test("overlap allow starts a second run while the first has not ended", async () => {
  const { at, statuses } = await hourlyApproval("allow");
  await at(1);
  await at(2);
  expect(await statuses()).toEqual(["waiting_approval", "waiting_approval"]);
});

test("overlap skip starts no run while the previous one has not ended", async () => {
  const { ada, at, tasks, statuses } = await hourlyApproval("skip");
  await at(1);
  await at(2);
  expect(await statuses()).toEqual(["waiting_approval"]);
  await ada.post(`/api/tasks/${(await tasks())[0]!.id}/resume`, { decision: "approve" });
  await expect.poll(statuses).toEqual(["completed"]);
  await at(3);
  expect(await statuses()).toEqual(["completed", "waiting_approval"]);
});

test("overlap cancel_previous cancels the run that has not ended and starts the next", async () => {
  const { at, statuses } = await hourlyApproval("cancel_previous");
  await at(1);
  await at(2);
  expect(await statuses()).toEqual(["cancelled", "waiting_approval"]);
});

test("overlap queue starts one run after the previous one has ended, however many were due", async () => {
  const { ada, at, tasks, statuses } = await hourlyApproval("queue");
  await at(1);
  await at(2);
  await at(3);
  expect(await statuses()).toEqual(["waiting_approval"]);
  const approveLast = async () =>
    ada.post(`/api/tasks/${(await tasks()).at(-1)!.id}/resume`, { decision: "approve" });
  await approveLast();
  await expect.poll(statuses, { timeout: 10_000 }).toEqual(["completed", "waiting_approval"]);
  await approveLast();
  await expect.poll(statuses).toEqual(["completed", "completed"]);
  await at(4);
  expect(await statuses()).toEqual(["completed", "completed", "waiting_approval"]);
});

test("the next five times of a pattern are previewed in its time zone, across daylight saving", async () => {
  const clock = { ...systemClock, now: () => Date.parse("2026-03-27T12:00:00Z") };
  const app = await useTestApp({}, { clock });
  const ada = await registerUser(app);
  const preview = (cron: string, timezone: string) =>
    ada.get(`/api/schedules/next?${new URLSearchParams({ cron, timezone }).toString()}`);
  expect((await preview("0 8 * * *", "Europe/Berlin")).body).toEqual({
    ok: true,
    times: [
      "2026-03-28T07:00:00.000Z",
      "2026-03-29T06:00:00.000Z",
      "2026-03-30T06:00:00.000Z",
      "2026-03-31T06:00:00.000Z",
      "2026-04-01T06:00:00.000Z",
    ],
  });
  for (const [cron, timezone, message] of [
    ["sometimes", "UTC", "Use five fields"],
    ["0 8 31 2 *", "UTC", "matches no future time. Use five fields"],
    ["0 8 * * *", "Mars/Olympus", "Use an IANA name"],
    ["* * * * * *", "UTC", "Choose a longer interval"],
  ] as const)
    expect(await preview(cron, timezone)).toMatchObject({
      status: 400,
      body: { error: "invalid_request", message: expect.stringContaining(message) },
    });
});
