import { beforeAll, expect, test } from "vitest";
import { ensureBuilt } from "../support/service-process.ts";
import { readHistory } from "./history.ts";
import { useLimitedDisk } from "./limited-disk.ts";
import { enter, useChild, useOutside } from "./service.ts";

beforeAll(ensureBuilt);

test("[R17] with a full disk new work is refused, nothing is acknowledged, and work continues without a restart once space is free", async () => {
  const disk = useLimitedDisk();
  const service = await useChild({ DATA_DIR: disk.dataDir });
  const outside = await useOutside();
  const ada = await enter(() => service.address);
  const big = { blob: "x".repeat(20_000) };
  const quick = await ada.workflow([{ stepId: "a", type: "transform", template: "{{input}}" }]);
  const slow = await ada.workflow([
    { stepId: "call", type: "http", method: "POST", url: `${outside.address}/held?n=3`, body: big },
    { stepId: "end", type: "transform", template: "{{steps.call.output.n}}" },
  ]);
  const started = await Promise.all(Array.from({ length: 5 }, () => ada.post(`/api/workflows/${slow}/run`)));
  const taskIds = started.map(({ body }) => body["taskId"] as string);
  await expect.poll(() => outside.arrivals.size).toBe(5);

  disk.fill(service.pid);
  // The write-ahead log has its own room, which it uses again after a checkpoint.
  const startQuick = () => ada.post(`/api/workflows/${quick}/run`, { input: big });
  await expect.poll(async () => (await startQuick()).status, { interval: 0, timeout: 30_000 }).toBe(503);
  const before = readHistory(disk.dataDir);
  const refused = await Promise.all(Array.from({ length: 20 }, startQuick));
  for (const { status, body } of refused)
    expect({ status, error: body["error"] }).toEqual({ status: 503, error: "storage_unavailable" });
  const isReady = async (): Promise<boolean> => (await fetch(`${service.address}/ready`)).ok;
  expect(await isReady()).toBe(false);
  // The steps in flight end now, and their results do not fit on the disk.
  outside.release();
  for (const id of taskIds) expect((await ada.get(`/api/tasks/${id}`))["task"].status).toBe("running");
  expect(readHistory(disk.dataDir).tasks.size).toBe(before.tasks.size);

  disk.free(service.pid);
  // No request is sent before the service reports that it has recovered.
  await expect.poll(isReady, { timeout: 10_000 }).toBe(true);
  await expect
    .poll(async () => (await ada.post(`/api/workflows/${quick}/run?wait=true`, { input: big })).status, {
      timeout: 10_000,
    })
    .toBe(200);
  for (const id of taskIds) {
    await expect
      .poll(async () => (await ada.get(`/api/tasks/${id}`))["task"], { timeout: 10_000 })
      .toMatchObject({ status: "completed", result: { output: 3 } });
    expect(outside.arrivals.get(`${id}:call`)).toHaveLength(1);
  }
  expect(await service.end("SIGTERM")).toBe(0);
});
