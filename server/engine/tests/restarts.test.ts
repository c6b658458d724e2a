import { expect, onTestFinished, test } from "vitest";
import { transformStep as value } from "../../../test/support/graphs.ts";
import { clientOf, type Client } from "../../../test/support/client.ts";
import {
  createTestApp,
  registerUser,
  type TestApp,
  useTemporaryFolder,
} from "../../../test/support/test-app.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { HOUR_MS, hourLongNap, settableClock } from "../testing/settable-clock.ts";
import { foreach, http, inTurn, reach, read, save, serve, start, stepOf, sub } from "../testing/workbench.ts";

/** A service that can be restarted on the same folder. */
async function restartable(): Promise<{ owner: Client; restart(clock?: Clock): Promise<Client> }> {
  const dataDir = await useTemporaryFolder();
  let app: TestApp = await createTestApp({}, { dataDir });
  const { token } = await registerUser(app);
  onTestFinished(() => app.close());
  return {
    owner: clientOf(app.http, token),
    async restart(clock = systemClock) {
      await app.stop();
      app = await createTestApp({}, { dataDir, clock });
      return clientOf(app.http, token);
    },
  };
}

test("an approval opened before a restart is decided after it, and the run continues", async () => {
  const { owner, restart } = await restartable();
  const other = await serve(inTurn("before"));
  const taskId = await start(
    owner,
    await save(owner, [
      http("a", other.url),
      { stepId: "ask", type: "approval", message: "?" },
      value("end", "{{steps.a.output}} {{steps.ask.output.comment}}"),
    ]),
  );
  const before = await reach(owner, taskId, "waiting_approval");
  const again = await restart();
  expect(await read(again, taskId)).toEqual(before);
  expect((await again.post(`/api/tasks/${taskId}/resume`, { comment: "yes" })).status).toBe(200);
  const done = await reach(again, taskId, "completed");
  expect(done.result.output).toBe("before yes");
  expect(stepOf(done, "a")).toEqual(stepOf(before, "a"));
  expect(other.calls).toHaveLength(1);
});

test("a delay keeps its due time and a retry its count across a restart", async () => {
  const { owner, restart } = await restartable();
  const answers = inTurn(503, 503, "third");
  const other = await serve((request, response, calls) => {
    // The first retry is due in the process after the restart, however long that takes.
    if (calls.length === 1) response.setHeader("retry-after", HOUR_MS / 1000);
    return answers(request, response, calls);
  });
  const retrying = await start(
    owner,
    await save(owner, [http("a", other.url, { maxRetries: 5, backoffMultiplier: 1 })]),
  );
  const delayed = await start(owner, await save(owner, [hourLongNap, value("end", "awake")]));
  const before = await reach(owner, delayed, "waiting");
  await reach(owner, retrying, "waiting");
  const again = await restart(settableClock(2 * HOUR_MS));
  const done = await reach(again, delayed, "completed");
  expect(stepOf(done, "nap").startedAt).toBe(stepOf(before, "nap").startedAt);
  expect(stepOf(await reach(again, retrying, "completed"), "a")).toMatchObject({
    attempts: 3,
    output: "third",
  });
  expect(other.calls).toHaveLength(3);
});

test("a loop continues with the remaining iterations of the list it had fixed", async () => {
  const { owner, restart } = await restartable();
  await owner.put("/api/variables/names", { value: ["a", "b", "c"] });
  const other = await serve(inTurn("done"));
  const steps = [
    http("get", `${other.url}/{{item}}`),
    { stepId: "ask", type: "approval", message: "{{item}}?" },
    value("end", "{{item}}{{steps.ask.output.comment}}"),
  ];
  const taskId = await start(
    owner,
    await save(owner, [foreach("each", "{{vars.names}}", steps, { concurrency: 2 })]),
  );
  await reach(owner, taskId, "waiting_approval");
  await owner.put("/api/variables/names", { value: [] });
  const again = await restart();
  for (const [index, comment] of ["1", "2", "3"].entries()) {
    const stepId = `each[${index}]/ask`;
    await expect
      .poll(async () => (await again.post(`/api/tasks/${taskId}/resume`, { stepId, comment })).status)
      .toBe(200);
  }
  expect((await reach(again, taskId, "completed")).result.output).toEqual(["a1", "b2", "c3"]);
  expect(other.calls.toSorted()).toEqual(["/a", "/b", "/c"]);
});

test("a waiting sub-workflow continues after a restart and returns its output", async () => {
  const { owner, restart } = await restartable();
  const inner = await save(owner, [hourLongNap, value("end", "slept")]);
  const taskId = await start(
    owner,
    await save(owner, [sub("call", inner), value("end", "{{steps.call.output}}")]),
  );
  await reach(owner, taskId, "waiting");
  const again = await restart(settableClock(2 * HOUR_MS));
  expect((await reach(again, taskId, "completed")).result.output).toBe("slept");
});

test("a task runs the version it started with, also when its workflow is deleted", async () => {
  const { owner, restart } = await restartable();
  const workflowId = await save(owner, [
    { stepId: "ask", type: "approval", message: "?" },
    value("end", "first"),
  ]);
  const taskId = await start(owner, workflowId);
  await reach(owner, taskId, "waiting_approval");
  await owner.put(`/api/workflows/${workflowId}`, {
    metadata: { steps: [value("end", "second")], edges: [] },
  });
  await owner.delete(`/api/workflows/${workflowId}`);
  const again = await restart();
  await again.post(`/api/tasks/${taskId}/resume`);
  expect(await reach(again, taskId, "completed")).toMatchObject({
    workflowVersion: 1,
    result: { output: "first" },
  });
});
