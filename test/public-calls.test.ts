import { expect, test } from "vitest";
import { bearer, echoGraph, makeKey, publish } from "./support/endpoints.ts";
import { chain, edge, transformStep } from "./support/graphs.ts";
import { shareApp } from "./support/shared-app.ts";

const { app, alice, bob } = await shareApp(["alice", "bob"], { SYNC_TIMEOUT_MS: "300" });
const key = bearer((await makeKey(alice)).rawKey);

const call = (idOrSlug: string, body?: unknown, headers = key) =>
  app.anonymous.post(`/api/workflows/public/${idOrSlug}`, body, headers);
const taskCount = async (workflowId: string) =>
  (await alice.get(`/api/tasks?limit=200`)).body.tasks.filter(
    (task: { workflowId: string }) => task.workflowId === workflowId,
  ).length;

test("a synchronous call answers with the result and the steps", async () => {
  const workflow = await publish(alice);
  const answer = await call(workflow.id, { input: { name: "Ada" } });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    ok: true,
    taskId: expect.stringMatching(/^task_/),
    status: "completed",
    result: { output: { name: "Ada" }, outputs: { echo: { name: "Ada" } } },
    stepResults: [
      expect.objectContaining({
        stepId: "echo",
        type: "transform",
        status: "completed",
        output: { name: "Ada" },
      }),
    ],
  });
  expect(answer.body.stepResults[0].startedAt).toMatch(/Z$/);
});

test("an endpoint is found by its slug in any case, and by its id", async () => {
  const workflow = await publish(alice, { endpointName: "Daily-Report" });
  for (const address of ["Daily-Report", "daily-report", "DAILY-REPORT", workflow.id]) {
    expect((await call(address)).status).toBe(200);
  }
});

test("an asynchronous call answers with the task at once", async () => {
  const workflow = await publish(alice, { sync: false });
  const answer = await call(workflow.id, { input: {} });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ ok: true, taskId: expect.any(String), workflowId: workflow.id });
});

test("what is unknown, switched off or deleted is not found, before any key is looked at", async () => {
  const off = await publish(alice, { enabled: false, endpointName: "switched-off" });
  const gone = await publish(alice);
  await alice.delete(`/api/workflows/${gone.id}`);
  for (const address of ["no-such-thing", "switched-off", off.id, gone.id, "wf_1", "%00", "x".repeat(400)]) {
    const answer = await call(address, {}, {});
    expect(answer.status).toBe(404);
    expect(answer.body.error).toBe("workflow_not_found");
  }
});

test("a slug that looks like the id of a switched-off workflow does not take over its calls", async () => {
  const off = await publish(alice, { enabled: false });
  await publish(bob, { endpointName: off.id, authentication: false });
  expect((await call(off.id)).status).toBe(404);
});

test("authentication needs a key, and nothing at all is needed when it is off", async () => {
  const closed = await publish(alice);
  const open = await publish(alice, { authentication: false });
  const refused = await call(closed.id, { input: {} }, {});
  expect(refused.status).toBe(401);
  expect(refused.body.error).toBe("missing_api_key");
  expect((await call(open.id, { input: {} }, {})).status).toBe(200);
  expect((await call(open.id, { input: {} }, bearer("nonsense"))).status).toBe(200);
});

test("[S10] without a valid key not even the body is parsed, and no task is made", async () => {
  const workflow = await publish(alice);
  for (const headers of [{}, bearer("baton_wrong")]) {
    const answer = await call(workflow.id, "{ not json", headers);
    expect(answer.status).toBe(401);
  }
  expect((await call(workflow.id, "{ not json")).body.error).toBe("invalid_json");
  expect(await taskCount(workflow.id)).toBe(0);
});

test("the input is an object or absent; anything else is refused", async () => {
  const workflow = await publish(alice);
  for (const body of [undefined, {}, { input: {} }]) {
    const answer = await call(workflow.id, body);
    expect(answer.status).toBe(200);
    expect(answer.body.result.output).toEqual({});
  }
  for (const body of [{ input: [] }, { input: "x" }, { input: 1 }, { input: null }, [], "null", "1"]) {
    const answer = await call(workflow.id, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe("invalid_request");
    expect(answer.body.details).toEqual([{ path: expect.any(String), message: expect.any(String) }]);
  }
  const form = await app.anonymous.call(`/api/workflows/public/${workflow.id}`, {
    method: "POST",
    body: "input=1",
    contentType: "application/x-www-form-urlencoded",
    headers: key,
  });
  expect(form.status).toBe(415);
});

test("[S9] a graph or settings in the body are not run", async () => {
  const workflow = await publish(alice);
  const graph = chain("injected");
  const answer = await call(workflow.id, {
    input: { a: 1 },
    ...graph,
    metadata: graph,
    workflow: { ...workflow, metadata: graph },
    apiSettings: { sync: false, authentication: false, enabled: true, responseStepId: "injected" },
  });
  expect(answer.body.result).toEqual({ output: { a: 1 }, outputs: { echo: { a: 1 } } });
  const inInput = await call(workflow.id, { input: { ...graph, metadata: graph } });
  expect(inInput.body.stepResults.map((step: { stepId: string }) => step.stepId)).toEqual(["echo"]);
});

test("a failed run is a 500 that names the step and shows what was done", async () => {
  const workflow = await publish(
    alice,
    {},
    {
      steps: [
        transformStep("first"),
        { stepId: "fetch", type: "http", method: "GET", url: "http://127.0.0.1:1/" },
      ],
      edges: [edge("first", "fetch")],
    },
  );
  const answer = await call(workflow.id, { input: {} });
  expect(answer.status).toBe(500);
  expect(answer.body).toMatchObject({
    ok: false,
    error: "execution_failed",
    message: expect.any(String),
    taskId: expect.stringMatching(/^task_/),
    failedStep: "fetch",
  });
  expect(answer.body.stepResults.map((step: { status: string }) => step.status)).toEqual([
    "completed",
    "failed",
  ]);
});

test("a run that waits for an approval answers so", async () => {
  const workflow = await publish(
    alice,
    {},
    { steps: [{ stepId: "ask", type: "approval", message: "Go on?" }], edges: [] },
  );
  const answer = await call(workflow.id, { input: {} });
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ ok: true, status: "waiting_approval", taskId: expect.any(String) });
});

test("[R11] a run that takes too long is a 504 with the task, which goes on", async () => {
  const workflow = await publish(
    alice,
    { authentication: false },
    { steps: [{ stepId: "rest", type: "delay", seconds: 3600 }], edges: [] },
  );
  const answer = await call(workflow.id, { input: {} });
  expect(answer.status).toBe(504);
  expect(answer.body).toMatchObject({ ok: false, error: "execution_timeout", taskId: expect.any(String) });
  const task = await app.anonymous.get(`/api/workflows/public/tasks/${answer.body.taskId}`);
  expect(task.body.status).toBe("waiting");
});

test("[R11] a caller that hangs up leaves its task running to the end", async () => {
  const workflow = await publish(alice);
  const address = await app.listen();
  const hangUp = new AbortController();
  const request = fetch(`${address}/api/workflows/public/${workflow.id}`, {
    method: "POST",
    headers: { ...key, "content-type": "application/json", "idempotency-key": "hung-up" },
    body: JSON.stringify({ input: { n: 1 } }),
    signal: hangUp.signal,
  });
  hangUp.abort();
  await expect(request).rejects.toThrow();
  // Whether or not the first call was read before it was cut, there is one task and it completes.
  const answer = await call(workflow.id, { input: { n: 1 } }, { ...key, "idempotency-key": "hung-up" });
  expect(answer.status).toBe(200);
  expect(await taskCount(workflow.id)).toBe(1);
});

test("a caller follows its own task with a key of the owner", async () => {
  const workflow = await publish(alice, { sync: false });
  const { taskId } = (await call(workflow.id, { input: { n: 1 } })).body;
  const url = `/api/workflows/public/tasks/${taskId}`;
  const seen = await app.anonymous.get(url, key);
  expect(seen.status).toBe(200);
  expect(seen.body).toMatchObject({
    ok: true,
    taskId,
    task: { id: taskId, taskId, trigger: "api", input: { n: 1 } },
  });
  expect(seen.body.task).not.toHaveProperty("ownerId");
  expect((await app.anonymous.get(url)).body.error).toBe("missing_api_key");
  const foreign = bearer((await makeKey(bob)).rawKey);
  expect((await app.anonymous.get(url, foreign)).body.error).toBe("invalid_api_key");
  for (const unknown of ["task_0", "x", "task_01k0000000000000000000000000z"]) {
    const answer = await app.anonymous.get(`/api/workflows/public/tasks/${unknown}`, key);
    expect(answer.body.error).toBe("task_not_found");
  }
});

test("the task's id alone is enough while authentication is off, and not after the endpoint was switched off", async () => {
  const workflow = await publish(alice, { authentication: false, sync: false });
  const { taskId } = (await call(workflow.id, {}, {})).body;
  const url = `/api/workflows/public/tasks/${taskId}`;
  expect((await app.anonymous.get(url)).status).toBe(200);
  await alice.patch(`/api/workflows/${workflow.id}`, { apiSettings: { enabled: false } });
  expect((await app.anonymous.get(url)).status).toBe(401);
  expect((await app.anonymous.get(url, key)).status).toBe(200);
});

test("a task that no public call has made cannot be followed, whoever asks", async () => {
  const workflow = await publish(alice, { authentication: false });
  const { taskId } = (await alice.post(`/api/workflows/${workflow.id}/run`, { input: { private: 1 } })).body;
  for (const headers of [{}, key]) {
    const answer = await app.anonymous.get(`/api/workflows/public/tasks/${taskId}`, headers);
    expect(answer.body.error).toBe("task_not_found");
  }
});

test("an edited graph is what the next call runs, and a change of settings counts at once", async () => {
  const workflow = await publish(alice);
  await call(workflow.id, {});
  await alice.patch(`/api/workflows/${workflow.id}`, { metadata: chain("renamed") });
  const answer = await call(workflow.id, {});
  expect(Object.keys(answer.body.result.outputs)).toEqual(["renamed"]);
  await alice.patch(`/api/workflows/${workflow.id}`, { apiSettings: { sync: false } });
  expect((await call(workflow.id, {})).body).toHaveProperty("workflowId");
});

test("[R3] fifty equal calls with one idempotency key at once make one task and get one answer", async () => {
  const workflow = await publish(alice, {}, echoGraph);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      call(workflow.id, { input: { order: 7, item: "x" } }, { ...key, "idempotency-key": "order-7" }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await taskCount(workflow.id)).toBe(1);
  const reordered = await call(workflow.id, '{ "input": {"item":"x", "order":7} }', {
    ...key,
    "idempotency-key": "order-7",
  });
  expect(reordered.text).toBe(answers[0]?.text);
});

test("[R3] the same key with another body is a conflict; at another endpoint it is another key", async () => {
  const workflow = await publish(alice);
  const other = await publish(alice);
  const headers = { ...key, "idempotency-key": "once" };
  const first = await call(workflow.id, { input: { n: 1 } }, headers);
  const conflict = await call(workflow.id, { input: { n: 2 } }, headers);
  expect(conflict.status).toBe(409);
  expect(conflict.body.error).toBe("idempotency_conflict");
  const elsewhere = await call(other.id, { input: { n: 2 } }, headers);
  expect(elsewhere.status).toBe(200);
  expect(elsewhere.body.taskId).not.toBe(first.body.taskId);
});

test("an idempotency key is 1 to 255 visible characters", async () => {
  const workflow = await publish(alice);
  const withKey = (value: string) => call(workflow.id, {}, { ...key, "idempotency-key": value });
  expect((await withKey("k".repeat(255))).status).toBe(200);
  for (const wrong of ["", "k".repeat(256), "two words", "über"]) {
    expect((await withKey(wrong)).status).toBe(400);
  }
});
