import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { threadCpuMs, threadStatFile } from "./thread-cpu.ts";

const script = (work: string): string =>
  `import { parentPort } from "node:worker_threads";
   import { readlinkSync } from "node:fs";
   parentPort.postMessage("/proc/" + readlinkSync("/proc/thread-self") + "/stat");
   ${work}`;
const thread = (work: string): Worker =>
  new Worker(new URL(`data:text/javascript,${encodeURIComponent(script(work))}`));

test.runIf(threadStatFile() !== undefined)("the CPU time of a thread is its own", async () => {
  const busy = thread("for (;;) Math.random();");
  const idle = thread("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);");
  try {
    const [[busyFile], [idleFile]] = (await Promise.all([once(busy, "message"), once(idle, "message")])) as [
      [string],
      [string],
    ];
    const ofBusy = threadCpuMs(busyFile);
    const ofIdle = threadCpuMs(idleFile);
    while (ofBusy() < 300) await setTimeout(20);
    expect(ofIdle()).toBeLessThan(300);
  } finally {
    await Promise.all([busy.terminate(), idle.terminate()]);
  }
});

test("without a file, CPU time is that of the process and at most the time by the clock", async () => {
  const started = performance.now();
  const cpuMs = threadCpuMs(undefined);
  while (cpuMs() < 20) Math.random();
  expect(cpuMs()).toBeLessThanOrEqual(performance.now() - started);
});
