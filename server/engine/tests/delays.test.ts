import { describe, expect, onTestFinished, test, vi } from "vitest";
import { parseIsoTime } from "../../../contract/steps/delay.ts";
import { shareApp } from "../../../test/support/shared-app.ts";
import { transformStep as value } from "../../../test/support/graphs.ts";
import { reach, read, run, save, start, stepOf } from "../testing/workbench.ts";

const { app, ada, bob } = await shareApp(["ada", "bob"]);
const TEN_YEARS_S = 10 * 366 * 24 * 3600;

test.each([
  ["2030-01-31", "2030-01-31T00:00:00.000Z"],
  ["2030-01-31T09:00", "2030-01-31T09:00:00.000Z"],
  ["2030-01-31 09:00:00", "2030-01-31T09:00:00.000Z"],
  ["2030-01-31t09:00z", "2030-01-31T09:00:00.000Z"],
  ["2030-01-31 09:00:00.5+02", "2030-01-31T07:00:00.500Z"],
  ["2030-01-31T09:00-0530", "2030-01-31T14:30:00.000Z"],
  ["2028-02-29T23:59:59+14:00", "2028-02-29T09:59:59.000Z"],
])("the time %s is %s, whatever the zone of the server", (text, time) => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("TZ", "Asia/Tokyo");
  expect(new Date(parseIsoTime(text) ?? Number.NaN).toJSON()).toBe(time);
});

describe("a delay that comes from input", () => {
  test.each<[string, unknown]>([
    ["seconds", 1e15],
    ["seconds", String(TEN_YEARS_S + 60)],
    ["seconds", 1e300],
    ["until", "9999-12-31T00:00:00Z"],
    ["until", "2100-01-01T00:00:00Z"],
    ["until", 1e18],
  ])("fails the step when it is longer than ten years: %s %s", async (field, given) => {
    const step = { stepId: "nap", type: "delay", [field]: "{{input.given}}" };
    const task = await run(ada, [step], [], { given });
    expect(task).toMatchObject({ status: "failed", error: { code: "invalid_delay", stepId: "nap" } });
  });

  test.each([[""], [" "], [true], [[5]], ["soon"], [-1]])(
    "fails the step when it is no number: %j",
    async (seconds) => {
      const task = await run(ada, [{ stepId: "nap", type: "delay", seconds: "{{input.seconds}}" }], [], {
        seconds,
      });
      expect(task).toMatchObject({ status: "failed", error: { code: "invalid_delay", stepId: "nap" } });
    },
  );

  test.each([
    ["1"],
    ["tomorrow 5"],
    ["Jan 5, 2100"],
    ["2030-01-31 (soon)"],
    ["2030-02-30T09:00:00Z"],
    ["2030-04-31"],
    ["2030-13-01"],
    ["2030-01-31T25:00Z"],
    [["2030-01-31"]],
    [true],
    [""],
  ])("fails the step when it is no ISO 8601 time: %j", async (until) => {
    const task = await run(ada, [{ stepId: "nap", type: "delay", until: "{{input.until}}" }], [], {
      until,
    });
    expect(task).toMatchObject({ status: "failed", error: { code: "invalid_delay", stepId: "nap" } });
    expect(task.error.message).toContain("ISO 8601");
  });

  test.each([
    ["2020-01-31"],
    ["2020-01-31T09:00Z"],
    ["2020-01-31 09:00:00+02:00"],
    ["2020-01-31 09:00:00.5+00"],
    ["2020-01-31T09:00-05"],
    ["2020-01-31T09:00:00.123456-0530"],
    [1_580_461_200_000],
  ])("goes on at once when the time has passed: %j", async (until) => {
    const task = await run(ada, [{ stepId: "nap", type: "delay", until: "{{input.until}}" }], [], { until });
    expect(task.status).toBe("completed");
  });

  test("waits when it is shorter", async () => {
    const steps = [{ stepId: "nap", type: "delay", seconds: "{{input.seconds}}" }];
    const taskId = await start(ada, await save(ada, steps), { seconds: TEN_YEARS_S - 60 });
    expect(stepOf(await reach(ada, taskId, "waiting"), "nap").dueAt).toMatch(/^20\d\d-/);
    await ada.post(`/api/tasks/${taskId}/cancel`);
  });
});

test("a due time beyond every date, stored by an older version, fails no read of any user", async () => {
  const taskId = await start(ada, await save(ada, [{ stepId: "nap", type: "delay", seconds: 3600 }]));
  await reach(ada, taskId, "waiting");
  await app.sql(`update task set run_at = 1000000000000000001 where id = '${taskId}'`);
  await app.sql(
    `update journal set due = 1000000000000000001 where task_id = '${taskId}' and due is not null`,
  );
  const theirs = await run(bob, [value("a")]);
  // Reads of one turn are one query: both users' rows are in it.
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => [
      ada.get(`/api/tasks/${taskId}`),
      bob.get(`/api/tasks/${theirs.id}`),
      ada.get("/api/tasks"),
    ]).flat(),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(stepOf(await read(ada, taskId), "nap").dueAt).toBe("+275760-09-13T00:00:00.000Z");
});
