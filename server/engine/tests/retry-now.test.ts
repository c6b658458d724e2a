import { expect, test } from "vitest";
import { shareApp } from "../../../test/support/shared-app.ts";
import { foreach, http, inTurn, reach, read, save, serve, start, stepOf } from "../testing/workbench.ts";

const { ada, bob } = await shareApp(["ada", "bob"]);

/** The first retry is due after a second; the second one, with this multiplier, after ten. */
const SLOW_SECOND_RETRY = { maxRetries: 4, backoffMultiplier: 10 };

function retryNow(taskId: string, body?: object) {
  return ada.post(`/api/tasks/${taskId}/retry-now`, body);
}

async function secondRetryOf(taskId: string, stepId: string): Promise<void> {
  await expect
    .poll(async () => stepOf(await read(ada, taskId), stepId), { timeout: 10_000 })
    .toMatchObject({ status: "waiting", attempts: 2 });
}

test("a waiting retry of a parked task starts at once", async () => {
  const other = await serve(inTurn(503, 503, { fine: true }));
  const id = await start(ada, await save(ada, [http("a", other.url, SLOW_SECOND_RETRY)]));
  await secondRetryOf(id, "a");
  const { dueAt } = stepOf(await read(ada, id), "a");
  expect((await retryNow(id, { stepId: "a" })).body).toMatchObject({ ok: true, taskId: id });
  const task = await reach(ada, id, "completed");
  expect(stepOf(task, "a")).toMatchObject({ attempts: 3, output: { fine: true } });
  expect(stepOf(task, "a").completedAt < dueAt).toBe(true);
});

test("a waiting retry starts at once while another branch runs", async () => {
  const held: (() => void)[] = [];
  const slow = await serve((_request, response) => void held.push(() => response.end("{}")));
  const other = await serve(inTurn(503, 503, { fine: true }));
  const id = await start(
    ada,
    await save(
      ada,
      [
        { stepId: "begin", type: "transform", template: 1 },
        http("slow", slow.url),
        http("a", other.url, SLOW_SECOND_RETRY),
      ],
      ["slow", "a"].map((target) => ({ id: target, source: "begin", target })),
    ),
  );
  await secondRetryOf(id, "a");
  await retryNow(id, { stepId: "a" });
  await expect
    .poll(async () => stepOf(await read(ada, id), "a"), { timeout: 5000 })
    .toMatchObject({ status: "completed", attempts: 3 });
  for (const end of held) end();
  await reach(ada, id, "completed");
});

test("only the retry of the named item starts; without a name all of them do", async () => {
  const failing = await serve(inTurn(503));
  const each = foreach("each", [0, 1], [http("call", `${failing.url}/{{item}}`, SLOW_SECOND_RETRY)]);
  const id = await start(ada, await save(ada, [each]));
  const calls = (item: number) => failing.calls.filter((path) => path === `/${item}`).length;
  await expect.poll(() => [calls(0), calls(1)], { timeout: 10_000 }).toEqual([2, 2]);
  await reach(ada, id, "waiting");
  await retryNow(id, { stepId: "each[1]/call" });
  await expect.poll(() => [calls(0), calls(1)], { timeout: 5000 }).toEqual([2, 3]);
  await reach(ada, id, "waiting");
  await retryNow(id);
  await expect.poll(() => [calls(0), calls(1)], { timeout: 5000 }).toEqual([3, 4]);
  await ada.post(`/api/tasks/${id}/cancel`);
});

test("a step that waits for no retry is 409, and the task of another user is 403", async () => {
  const id = await start(
    ada,
    await save(ada, [
      { stepId: "first", type: "transform", template: 1 },
      { stepId: "ask", type: "approval", message: "Go?" },
    ]),
  );
  await reach(ada, id, "waiting_approval");
  for (const stepId of ["first", "ask", "nobody"])
    expect(await retryNow(id, { stepId })).toMatchObject({
      status: 409,
      body: { error: "task_not_waiting" },
    });
  expect((await bob.post(`/api/tasks/${id}/retry-now`)).status).toBe(403);
  expect((await read(ada, id)).status).toBe("waiting_approval");
  await ada.post(`/api/tasks/${id}/cancel`);
  expect(await retryNow(id)).toMatchObject({ status: 409, body: { error: "task_not_waiting" } });
});
