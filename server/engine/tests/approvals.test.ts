import { describe, expect, test } from "vitest";
import { edge, transformStep as value } from "../../../test/support/graphs.ts";
import { shareApp } from "../../../test/support/shared-app.ts";
import { registerUser } from "../../../test/support/test-app.ts";
import {
  foreach,
  http,
  inTurn,
  reach,
  read,
  save,
  serve,
  start,
  statuses,
  stepOf,
  sub,
} from "../testing/workbench.ts";

const { app, ada } = await shareApp(["ada"]);

const ask = (stepId = "ask", more: object = {}) => ({ stepId, type: "approval", message: "Go on?", ...more });
const resume = (taskId: string, body?: unknown) => ada.post(`/api/tasks/${taskId}/resume`, body);

async function asked(
  steps: Parameters<typeof save>[1],
  edges: Parameters<typeof save>[2] = [],
): Promise<string> {
  const taskId = await start(ada, await save(ada, steps, edges));
  await reach(ada, taskId, "waiting_approval");
  return taskId;
}

describe("an approval", () => {
  test("passes the decision, the comment and the data to the next steps", async () => {
    const taskId = await asked([ask(), value("end", "{{steps.ask.output}}")]);
    const answer = await resume(taskId, { decision: "approve", comment: "good", data: { price: 3 } });
    expect(answer).toMatchObject({ status: 200, body: { ok: true, taskId, status: "running" } });
    expect((await reach(ada, taskId, "completed")).result.output).toEqual({
      decision: "approve",
      comment: "good",
      decidedBy: ada.user.id,
      data: { price: 3 },
    });
  });

  test("[S32] accepts an empty body, and refuses a second decision", async () => {
    const taskId = await asked([ask()]);
    expect((await resume(taskId)).body.status).toBe("running");
    expect(await resume(taskId, { decision: "reject" })).toMatchObject({
      status: 409,
      body: { error: "task_not_waiting" },
    });
    await reach(ada, taskId, "completed");
    expect((await resume(taskId)).status).toBe(409);
  });

  test("is not decided by a body with an unknown field, such as a misspelled decision", async () => {
    const taskId = await asked([ask()]);
    for (const body of [{ approved: false }, { decison: "reject" }])
      expect(await resume(taskId, body)).toMatchObject({
        status: 400,
        body: {
          error: "invalid_request",
          message: expect.stringContaining('send decision, "approve" or "reject"'),
        },
      });
    expect((await resume(taskId, { decision: "reject" })).body.status).toBe("rejected");
  });

  test("that is rejected ends the task as rejected, and no later step runs", async () => {
    const taskId = await asked([ask(), value("end")]);
    expect((await resume(taskId, { decision: "reject", comment: "no" })).body).toMatchObject({
      ok: true,
      status: "rejected",
    });
    const task = await reach(ada, taskId, "rejected");
    expect(statuses(task)).toEqual({ ask: "failed" });
    expect(stepOf(task, "ask")).toMatchObject({
      error: { code: "rejected" },
      output: { decision: "reject", comment: "no" },
    });
    expect((await ada.post(`/api/tasks/${taskId}/rerun-from-failed`)).status).toBe(409);
  });

  test("that is rejected takes the error edge if one exists", async () => {
    const taskId = await asked(
      [ask(), value("after"), value("rescue", "{{steps.ask.error.code}}")],
      [edge("ask", "after"), edge("ask", "rescue", { condition: "error" })],
    );
    expect((await resume(taskId, { decision: "reject" })).body.status).toBe("running");
    expect((await reach(ada, taskId, "completed")).result.output).toBe("rejected");
  });

  test.each([
    ["approve", "completed", { decision: "approve", comment: null, decidedBy: "timeout", data: null }],
    ["reject", "rejected", undefined],
    [undefined, "rejected", undefined],
    ["fail", "failed", undefined],
  ])("that is not decided in time ends by onTimeout %s as %s", async (onTimeout, status, output) => {
    const step = ask("ask", { timeoutMs: 30, ...(onTimeout === undefined ? {} : { onTimeout }) });
    const task = await reach(ada, await start(ada, await save(ada, [step])), status);
    if (output !== undefined) expect(task.result.output).toEqual(output);
    if (status === "failed") expect(task.error).toMatchObject({ code: "approval_timeout", stepId: "ask" });
  });

  test("that timed out is opened again by a rerun", async () => {
    const taskId = await start(ada, await save(ada, [ask("ask", { timeoutMs: 3000, onTimeout: "fail" })]));
    await reach(ada, taskId, "failed");
    await ada.post(`/api/tasks/${taskId}/rerun-from-failed`);
    await reach(ada, taskId, "waiting_approval");
    expect((await resume(taskId)).status).toBe(200);
    await reach(ada, taskId, "completed");
  });

  test("in parallel branches is decided separately, by step", async () => {
    const taskId = await asked(
      [ask("a"), ask("b"), value("end", "{{steps.a.output.comment}}{{steps.b.output.comment}}")],
      [edge("a", "end"), edge("b", "end")],
    );
    await expect
      .poll(
        async () =>
          (await ada.get("/api/approvals")).body.approvals.filter(
            (each: { taskId: string }) => each.taskId === taskId,
          ).length,
      )
      .toBe(2);
    expect((await resume(taskId, { stepId: "nobody" })).status).toBe(409);
    expect((await resume(taskId, { stepId: "b", comment: "B" })).status).toBe(200);
    await expect
      .poll(async () => statuses(await read(ada, taskId)))
      .toEqual({ a: "waiting_approval", b: "completed" });
    await reach(ada, taskId, "waiting_approval");
    expect((await resume(taskId, { stepId: "b" })).status).toBe(409);
    expect((await resume(taskId, { stepId: "a", comment: "A" })).status).toBe(200);
    expect((await reach(ada, taskId, "completed")).result.output).toBe("AB");
  });

  test("is visible at once while another branch runs, and ends with its decision", async () => {
    let release: () => void = () => undefined;
    const other = await serve((_request, response) => {
      release = () => response.end("{}");
    });
    const workflowId = await save(
      ada,
      [ask(), value("after"), http("slow", other.url), { stepId: "nap", type: "delay", seconds: 3600 }],
      [edge("ask", "after"), edge("slow", "nap")],
    );
    const taskId = await start(ada, workflowId);
    await expect.poll(async () => statuses(await read(ada, taskId))["ask"]).toBe("waiting_approval");
    await resume(taskId);
    await expect.poll(async () => statuses(await read(ada, taskId))["after"]).toBe("completed");
    await expect.poll(() => other.calls.length).toBe(1);
    release();
    // No approval is open any more; a delay is left.
    await reach(ada, taskId, "waiting");
    await ada.post(`/api/tasks/${taskId}/cancel`);
  });

  test("inside a foreach is opened once per iteration", async () => {
    const loop = foreach("each", ["x", "y"], [ask(), value("end", "{{item}}{{steps.ask.output.comment}}")]);
    const taskId = await asked([loop, value("last", "{{steps.each.output}}")]);
    expect((await resume(taskId, { stepId: "each[1]/ask", comment: "2" })).status).toBe(200);
    expect((await resume(taskId, { comment: "1" })).status).toBe(200);
    expect((await reach(ada, taskId, "completed")).result.output).toEqual(["x1", "y2"]);
  });

  test("that is rejected inside a foreach ends the task, unless the loop continues on failure", async () => {
    const loop = foreach("each", ["x"], [ask()]);
    const strict = await asked([loop]);
    expect((await resume(strict, { decision: "reject" })).body.status).toBe("rejected");
    await reach(ada, strict, "rejected");
    const lenient = await asked([{ ...loop, onError: "continue" }, value("end", "{{steps.each.status}}")]);
    expect((await resume(lenient, { decision: "reject" })).body.status).toBe("running");
    expect((await reach(ada, lenient, "completed")).result.output).toBe("failed");
  });

  test("inside a sub-workflow makes the caller wait for approval, too, and can be decided there", async () => {
    const inner = await save(ada, [
      { stepId: "nap", type: "delay", seconds: 0.05 },
      ask(),
      value("end", "{{steps.ask.output.comment}}"),
    ]);
    const workflowId = await save(ada, [sub("call", inner), value("end", "{{steps.call.output}}")]);
    const { body } = await ada.post(`/api/workflows/${workflowId}/run?wait=true`);
    expect(body).toMatchObject({ ok: true, status: "waiting_approval" });
    expect((await resume(body.taskId, { comment: "from above" })).status).toBe(200);
    expect((await reach(ada, body.taskId, "completed")).result.output).toBe("from above");
  });

  test("[S32] is not decided by a GET, another user or a guessed id", async () => {
    const taskId = await asked([ask()]);
    for (const url of [
      `/api/tasks/${taskId}`,
      `/api/tasks/${taskId}/resume`,
      `/api/tasks/${taskId}/resume?decision=approve`,
      "/api/approvals",
    ]) {
      await ada.get(url);
      await app.anonymous.get(url);
    }
    const stranger = await registerUser(app);
    expect((await stranger.post(`/api/tasks/${taskId}/resume`)).status).toBe(403);
    expect((await app.anonymous.post(`/api/tasks/${taskId}/resume`)).status).toBe(401);
    expect((await resume(taskId, { decision: "maybe" })).status).toBe(400);
    expect((await read(ada, taskId)).status).toBe("waiting_approval");
  });

  test("are listed for one task with a filter", async () => {
    const [first] = [await asked([ask()]), await asked([ask()])];
    const listed = async (query: string) =>
      (await ada.get(`/api/approvals${query}`)).body.approvals.map((each: { taskId: string }) => each.taskId);
    expect(await listed(`?taskId=${first}`)).toEqual([first]);
    expect((await listed("?taskId=")).length).toBeGreaterThan(1);
    const stranger = await registerUser(app);
    expect((await stranger.get(`/api/approvals?taskId=${first}`)).body.approvals).toEqual([]);
  });

  test("of a task whose other branch failed is closed, and opens again after a rerun", async () => {
    const other = await serve(inTurn(500, "ok"));
    const taskId = await start(
      ada,
      await save(
        ada,
        [ask(), http("bad", other.url), value("end")],
        [edge("ask", "end"), edge("bad", "end")],
      ),
    );
    await reach(ada, taskId, "failed");
    expect((await resume(taskId)).status).toBe(409);
    const open = (await ada.get("/api/approvals")).body.approvals as { taskId: string }[];
    expect(open.filter((each) => each.taskId === taskId)).toEqual([]);
    await ada.post(`/api/tasks/${taskId}/rerun-from-failed`);
    await reach(ada, taskId, "waiting_approval");
    expect((await resume(taskId)).status).toBe(200);
    expect((await reach(ada, taskId, "completed")).result.output).toBe("end");
  });
});
