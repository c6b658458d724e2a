import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ensureBuilt } from "../support/service-process.ts";
import { enter, temporaryData, useChild, useOutside } from "./service.ts";

beforeAll(ensureBuilt);

/** Not answered before the other request that is held. */
const POISON = "/held?poison";

test("[R6] a task that crashes the service is failed after three crashes, and other tasks are not", async () => {
  const dataDir = temporaryData();
  const killed = new Set<number>();
  function crash(): void {
    const pid = Number(readFileSync(join(dataDir, "lock.pid"), "utf8"));
    killed.add(pid);
    process.kill(pid, "SIGKILL");
  }
  // The step may call before its caller has the response of the run: that call is held. Later calls crash at once.
  let accepted = false;
  let called = false;
  const outside = await useOutside((request) => {
    if (request.url !== POISON) return;
    called = true;
    if (accepted) crash();
  });
  let service = await useChild({ DATA_DIR: dataDir });
  /** The service may crash before it is ready. */
  async function restart(): Promise<void> {
    await service.exited;
    for (let up = false; !up;) {
      up = await useChild({ DATA_DIR: dataDir }).then(
        (next) => {
          service = next;
          return true;
        },
        () => false,
      );
    }
  }
  const ada = await enter(() => service.address);
  const call = (path: string) => [{ stepId: "call", type: "http", url: `${outside.address}${path}` }];
  // A slow step is in flight at every crash.
  const [innocent, poison] = [await ada.workflow(call("/held")), await ada.workflow(call(POISON))];
  const { body: held } = await ada.post(`/api/workflows/${innocent}/run`);
  const { body: deadly } = await ada.post(`/api/workflows/${poison}/run`);
  accepted = true;
  if (called) crash();
  const executions = () => outside.arrivals.get(`${deadly["taskId"]}:call`)?.length;
  await restart();
  // A process takes over the tasks of a dead one in its own time.
  await expect.poll(executions, { timeout: 60_000 }).toBe(2);
  if (killed.has(service.pid)) await restart();
  // After two crashes both are quarantined and run one at a time: the slow task completes, the poisoned one crashes alone.
  outside.release();
  await restart();
  const taskOf = async (id: string) => (await ada.get(`/api/tasks/${id}`))["task"];
  await expect
    .poll(() => taskOf(deadly["taskId"]))
    .toMatchObject({ status: "failed", error: { code: "poison_task" } });
  await expect.poll(() => taskOf(held["taskId"])).toMatchObject({ status: "completed" });
  expect(executions()).toBe(3);
});
