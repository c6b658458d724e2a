import { noRunFiles } from "../../run-files/testing/open-run-files.ts";
import { expect, onTestFinished, test } from "vitest";
import type { Step } from "../../../contract/graph.ts";
import { shareApp } from "../../../test/support/shared-app.ts";
import { limitsOf } from "../../limits/testing/limits-of.ts";
import { createEgress } from "../../security/egress.ts";
import { createHttpRunner } from "../../steps/http.ts";
import { crashingStore } from "../testing/crashing-store.ts";
import { openBench } from "../testing/open-engine.ts";
import { http, reach, save, serve, start } from "../testing/workbench.ts";

const { ada } = await shareApp(["ada"]);

/** Answers with these statuses in turn, `lost` by closing the connection; the last one repeats. */
async function receiver(...answers: (number | "lost")[]) {
  const keys: string[] = [];
  const { url } = await serve((request, response, calls) => {
    keys.push(String(request.headers["idempotency-key"]));
    const answer = answers[Math.min(calls.length, answers.length) - 1]!;
    if (answer === "lost") request.socket.destroy();
    else response.writeHead(answer).end();
  });
  return { url, keys };
}

/** Which requests carried the same key: `a a b` for two equal keys and a new one. */
function pattern(keys: readonly string[]): string {
  const distinct = [...new Set(keys)];
  return keys.map((key) => "abcdefg"[distinct.indexOf(key)]).join(" ");
}

async function failing(steps: Step[]): Promise<{ workflowId: string; taskId: string }> {
  const workflowId = await save(ada, steps);
  const taskId = await start(ada, workflowId);
  await reach(ada, taskId, "failed");
  return { workflowId, taskId };
}

async function rerun(taskId: string, status: string, query = ""): Promise<void> {
  expect((await ada.post(`/api/tasks/${taskId}/rerun-from-failed${query}`)).status).toBe(200);
  await expect.poll(async () => (await ada.get(`/api/tasks/${taskId}`)).body.task.status).toBe(status);
}

test("a retry sends the same key after a lost answer and a new one after a recorded failure", async () => {
  const { url, keys } = await receiver("lost", 500, 503, 200);
  const workflowId = await save(ada, [http("call", url, { maxRetries: 3, backoffMultiplier: 1 })]);
  await reach(ada, await start(ada, workflowId), "completed");
  expect(pattern(keys)).toBe("a a b c");
});

test("a rerun sends the same key after a lost answer and a new one after a recorded failure", async () => {
  const { url, keys } = await receiver("lost", "lost", 500, "lost", 200);
  // A read is sent again by itself when a kept connection was closed.
  const { taskId } = await failing([http("call", url, { method: "POST" })]);
  for (const status of ["failed", "failed", "failed", "completed"]) {
    const sent = keys.length;
    await rerun(taskId, status);
    await expect.poll(() => keys.length).toBe(sent + 1);
    await reach(ada, taskId, status);
  }
  expect(pattern(keys)).toBe("a a a b b");
});

test("a rerun with an edited request sends a new key although the answer was lost", async () => {
  const { url, keys } = await receiver("lost", "lost", 200);
  const { workflowId, taskId } = await failing([http("call", url, { method: "POST", body: { n: 1 } })]);
  const steps = [http("call", url, { method: "POST", body: { n: 2 } })];
  await ada.put(`/api/workflows/${workflowId}`, { metadata: { steps, edges: [] } });
  await rerun(taskId, "failed");
  await expect.poll(() => keys.length).toBe(2);
  await reach(ada, taskId, "failed");
  await rerun(taskId, "completed", "?version=current");
  expect(pattern(keys)).toBe("a a b");
});

test("the process after a crash sends the same key, and counts the failures recorded before", async () => {
  const { url, keys } = await receiver(500, 200);
  const egress = createEgress({ allowPrivate: true, allow: [], deny: [] });
  onTestFinished(() => egress.close());
  const bench = await openBench({
    http: createHttpRunner({ egress, limits: limitsOf(), runFiles: noRunFiles }).run,
  });
  const step = http("call", url, { maxRetries: 1, backoffMultiplier: 1 });
  const workflow = bench.workflow("wf_1", { steps: [step], edges: [] });
  let crashed = false;
  // Writes: the insert, the failed attempt with the parking, the claim, then the result, which is not stored.
  const point = { write: 4, stored: false };
  const first = await bench.engine({ store: crashingStore(bench.store, point, () => (crashed = true)) });
  const { taskId } = await first.start({ workflow, trigger: "manual", input: {} });
  await expect.poll(() => crashed, { timeout: 10_000 }).toBe(true);
  await bench.engine();
  await expect.poll(async () => (await bench.store.task(taskId))?.status).toBe("completed");
  expect(pattern(keys)).toBe("a b b");
});
