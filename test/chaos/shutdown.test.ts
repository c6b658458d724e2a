import { beforeAll, expect, test } from "vitest";
import { ensureBuilt } from "../support/service-process.ts";
import { enter, temporaryData, useChild, useOutside } from "./service.ts";

beforeAll(ensureBuilt);

test("[R20] a shutdown lets a step in flight end and be recorded, and responds to its waiting caller", async () => {
  const service = await useChild({ DATA_DIR: temporaryData() });
  const outside = await useOutside();
  const ada = await enter(() => service.address);
  const id = await ada.workflow([{ stepId: "call", type: "http", url: `${outside.address}/held?n=7` }]);
  const answer = ada.post(`/api/workflows/${id}/run?wait=true`);
  await expect.poll(() => outside.arrivals.size).toBe(1);
  const exit = service.end("SIGTERM");
  await expect.poll(() => service.output()).toContain("finishing running work");
  await expect(ada.get("/health")).rejects.toThrow("fetch failed");
  outside.release();
  expect(await answer).toMatchObject({ status: 200, body: { result: { output: { n: 7 } } } });
  expect(await exit).toBe(0);
});

test("[R20] a run that does not end in time is handed over: the next process resumes it, and no caller is kept waiting", async () => {
  const settings = { DATA_DIR: temporaryData(), STOP_GRACE_MS: "1000" };
  let service = await useChild(settings);
  const outside = await useOutside();
  const ada = await enter(() => service.address);
  const id = await ada.workflow([
    { stepId: "first", type: "http", url: `${outside.address}/ok?n=1` },
    { stepId: "call", type: "http", url: `${outside.address}/held?n=2` },
  ]);
  const answer = ada.post(`/api/workflows/${id}/run?wait=true`);
  await expect.poll(() => outside.arrivals.size).toBe(2);
  // Far less than the minute that a synchronous call may take.
  expect(await service.end("SIGTERM")).toBe(0);
  const { status, body } = await answer;
  expect({ status, body }).toMatchObject({
    status: 504,
    body: { error: "execution_timeout", taskId: expect.any(String) },
  });
  outside.release();
  service = await useChild(settings);
  await expect
    .poll(async () => (await ada.get(`/api/tasks/${body["taskId"]}`))["task"], { timeout: 10_000 })
    .toMatchObject({ status: "completed", result: { output: { n: 2 } } });
  expect(outside.arrivals.get(`${body["taskId"]}:first`)).toHaveLength(1);
}, 45_000);
