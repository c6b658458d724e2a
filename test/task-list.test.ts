import { expect, test } from "vitest";
import { reach, save, serve, start } from "../server/engine/testing/workbench.ts";
import { shareApp } from "./support/shared-app.ts";

const { ada, bob } = await shareApp(["ada", "bob"]);

const fine = { stepId: "a", type: "transform", template: "{{input.n}}" };
const broken = { stepId: "a", type: "transform", expression: "$error('Nothing works')" };

test("tasks are filtered by time, trigger, version, error and text", async () => {
  const good = await save(ada, [fine], [], { name: "Good one" });
  const bad = await save(ada, [broken], [], { name: "Bad one" });
  const [first, second] = [await start(ada, good), await start(ada, bad)];
  await reach(ada, first, "completed");
  const { error } = await reach(ada, second, "failed");
  const found = async (query: string) => {
    const { status, body } = await ada.get(`/api/tasks?${query}`);
    expect(status).toBe(200);
    return body.tasks.map(({ id }: { id: string }) => id);
  };
  expect(await found("status=failed,waiting")).toEqual([second]);
  expect(await found("q=good")).toEqual([first]);
  expect(await found(`q=${first.slice(-6)}`)).toEqual([first]);
  expect(await found(`error=${encodeURIComponent(error.message)}`)).toEqual([second]);
  expect(await found("trigger=webhook")).toEqual([]);
  expect(await found("version=1&minMs=0")).toEqual([second, first]);
  const { createdAt } = (await ada.get(`/api/tasks/${second}`)).body.task;
  expect(await found(`from=${createdAt}`)).toContain(second);
  expect(await found(`to=${createdAt}`)).not.toContain(second);
  expect((await ada.get("/api/tasks?status=nonsense")).status).toBe(400);
  expect((await ada.get("/api/tasks/counts")).body).toMatchObject({ counts: { completed: 1, failed: 1 } });
});

test("many tasks are canceled or rerun, each with its own result", async () => {
  const asks = await save(bob, [{ stepId: "ask", type: "approval", message: "Go?" }]);
  const waiting = [await start(bob, asks), await start(bob, asks)];
  for (const id of waiting) await reach(bob, id, "waiting_approval");
  const foreign = await start(ada, await save(ada, [fine]));
  const canceled = await bob.post("/api/tasks/bulk", {
    action: "cancel",
    ids: [...waiting, foreign, "task_no"],
  });
  expect(canceled.body.results).toMatchObject([
    { taskId: waiting[0], ok: true },
    { taskId: waiting[1], ok: true },
    { taskId: foreign, ok: false, error: "forbidden" },
    { taskId: "task_no", ok: false, error: "task_not_found" },
  ]);
  await reach(bob, waiting[0]!, "cancelled");

  let isBroken = true;
  const other = await serve((_request, response) => void response.writeHead(isBroken ? 500 : 200).end("{}"));
  const calls = await save(bob, [{ stepId: "call", type: "http", url: other.url }]);
  const failed = [await start(bob, calls), await start(bob, calls)];
  for (const id of failed) await reach(bob, id, "failed");
  isBroken = false;
  const { body } = await bob.post("/api/tasks/bulk", {
    action: "rerun",
    version: "current",
    filter: { status: "failed", workflowId: calls },
  });
  expect(body).toMatchObject({ ok: true, hasMore: false });
  expect(body.results.map(({ taskId }: { taskId: string }) => taskId).toSorted()).toEqual(failed.toSorted());
  for (const id of failed) await reach(bob, id, "completed");
  const again = await bob.post("/api/tasks/bulk", { action: "rerun", ids: [failed[0]] });
  await reach(bob, again.body.results[0].newTaskId as string, "completed");

  for (const wrong of [{ action: "cancel" }, { action: "cancel", ids: [] }, { action: "drop", ids: failed }])
    expect((await bob.post("/api/tasks/bulk", wrong)).status).toBe(400);
});
