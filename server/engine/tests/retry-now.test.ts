import { expect, test } from "vitest";
import { shareApp } from "../../../test/support/shared-app.ts";
import { foreach, http, inTurn, reach, read, save, serve, start, stepOf } from "../testing/workbench.ts";

const { ada, bob } = await shareApp(["ada", "bob"]);

const RETRIES = { maxRetries: 4 };

/** Fails with a request to come back in an hour, so that no retry starts on its own. */
function busy(...answers: unknown[]): Parameters<typeof serve>[0] {
  const answer = inTurn(...answers);
  return (request, response, calls) => {
    response.setHeader("retry-after", 3600);
    return answer(request, response, calls);
  };
}

function retryNow(taskId: string, body?: object) {
  return ada.post(`/api/tasks/${taskId}/retry-now`, body);
}

async function waitingRetryOf(taskId: string, stepId: string): Promise<void> {
  await expect
    .poll(async () => stepOf(await read(ada, taskId), stepId))
    .toMatchObject({ status: "waiting", attempts: 1 });
}

test("a waiting retry of a parked task starts at once", async () => {
  const other = await serve(busy(503, { fine: true }));
  const id = await start(ada, await save(ada, [http("a", other.url, RETRIES)]));
  await waitingRetryOf(id, "a");
  const { dueAt } = stepOf(await read(ada, id), "a");
  expect((await retryNow(id, { stepId: "a" })).body).toMatchObject({ ok: true, taskId: id });
  const task = await reach(ada, id, "completed");
  expect(stepOf(task, "a")).toMatchObject({ attempts: 2, output: { fine: true } });
  expect(stepOf(task, "a").completedAt < dueAt).toBe(true);
});

test("a waiting retry starts at once while another branch runs", async () => {
  const held: (() => void)[] = [];
  const slow = await serve((_request, response) => void held.push(() => response.end("{}")));
  const other = await serve(busy(503, { fine: true }));
  const id = await start(
    ada,
    await save(
      ada,
      [
        { stepId: "begin", type: "transform", template: 1 },
        http("slow", slow.url),
        http("a", other.url, RETRIES),
      ],
      ["slow", "a"].map((target) => ({ id: target, source: "begin", target })),
    ),
  );
  await waitingRetryOf(id, "a");
  await retryNow(id, { stepId: "a" });
  await expect
    .poll(async () => stepOf(await read(ada, id), "a"))
    .toMatchObject({ status: "completed", attempts: 2 });
  for (const end of held) end();
  await reach(ada, id, "completed");
});

test("only the retry of the named item starts; without a name all of them do", async () => {
  const failing = await serve(busy(503));
  const each = foreach("each", [0, 1], [http("call", `${failing.url}/{{item}}`, RETRIES)]);
  const id = await start(ada, await save(ada, [each]));
  const calls = (item: number) => failing.calls.filter((path) => path === `/${item}`).length;
  await expect.poll(() => [calls(0), calls(1)]).toEqual([1, 1]);
  await reach(ada, id, "waiting");
  await retryNow(id, { stepId: "each[1]/call" });
  await expect.poll(() => [calls(0), calls(1)]).toEqual([1, 2]);
  await reach(ada, id, "waiting");
  await retryNow(id);
  await expect.poll(() => [calls(0), calls(1)]).toEqual([2, 3]);
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
