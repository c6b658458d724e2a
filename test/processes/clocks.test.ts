import { beforeAll, expect, onTestFinished, test } from "vitest";
import { enter, temporaryData, useChild, useOutside } from "../chaos/service.ts";
import { releaseDatabase, acquireDatabase } from "../support/postgres.ts";
import { ensureBuilt } from "../support/service-process.ts";

beforeAll(ensureBuilt);

const HOUR_MS = 3_600_000;

/** As on a machine with this clock offset. */
function shiftedBy(ms: number): Record<string, string> {
  const shift = `const real = Date.now; Date.now = () => real() + ${ms}`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shift)}` };
}

// R2
test("processes with clocks an hour apart hand work over at once and claim nothing from each other", async () => {
  const url = await acquireDatabase();
  onTestFinished(() => releaseDatabase(url));
  const join = (role: string, own: Record<string, string> = {}) =>
    useChild({
      DATABASE_URL: url,
      DATA_DIR: temporaryData(),
      JWT_SECRET: "the same for every process that shares a database",
      ENCRYPTION_KEY: "0123456789abcdef".repeat(4),
      LOG_LEVEL: "warn",
      LEASE_MS: "3000",
      ROLE: role,
      ...own,
    });
  const ahead = await join("api", shiftedBy(HOUR_MS));
  const behind = await join("worker", shiftedBy(-HOUR_MS));
  const outside = await useOutside();
  const ada = await enter(() => ahead.address);
  const call = { stepId: "call", type: "http", method: "POST", url: `${outside.address}/held?n=3` };
  // By the machines' clocks it would be due for the worker in two hours.
  const { body } = await ada.post(`/api/workflows/${await ada.workflow([call])}/run`);
  await expect.poll(() => outside.arrivals.size).toBe(1);

  // By the machines' clocks the worker would have sent no heartbeat for two hours.
  const metrics = await (await fetch(`${ahead.address}/metrics`)).text();
  expect(metrics).toContain("baton_stuck_tasks 0");
  outside.release();
  await expect
    .poll(async () => (await ada.get(`/api/tasks/${body["taskId"]}`))["task"])
    .toMatchObject({ status: "completed" });
  expect(outside.arrivals.get(`${body["taskId"]}:call`)).toHaveLength(1);
  expect(ahead.output()).toContain("3600 s ahead of the clock of the database server");
  expect(behind.output()).toContain("3600 s behind the clock of the database server");
});
