import { expect, test } from "vitest";
import { bearer, echoGraph, createKey, publish } from "./support/endpoints.ts";
import { chain, edge, transformStep } from "./support/graphs.ts";
import { shareApp } from "./support/shared-app.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";

const { app, alice, bob } = await shareApp(["alice", "bob"]);
const key = bearer((await createKey(alice)).rawKey);

const call = (idOrSlug: string, body?: unknown, headers = key) =>
  app.anonymous.post(`/api/workflows/public/${idOrSlug}`, body, headers);
const taskCount = async (workflowId: string) =>
  (await alice.get(`/api/tasks?limit=200`)).body.tasks.filter(
    (task: { workflowId: string }) => task.workflowId === workflowId,
  ).length;

test("a synchronous call returns the result and the steps", async () => {
  const workflow = await publish(alice);
  const response = await call(workflow.id, { input: { name: "Ada" } });
  expect(response.status).toBe(200);
  expect(response.body).toEqual({
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
  expect(response.body.stepResults[0].startedAt).toMatch(/Z$/);
});

test("an endpoint is found by its slug, regardless of case, and by its id", async () => {
  const workflow = await publish(alice, { endpointName: "Daily-Report" });
  for (const address of ["Daily-Report", "daily-report", "DAILY-REPORT", workflow.id]) {
    expect((await call(address)).status).toBe(200);
  }
});

test("placeholders read the request of a call without its key", async () => {
  const request = {
    kind: "{{trigger.kind}}",
    method: "{{trigger.method}}",
    query: "{{trigger.query}}",
    event: "{{trigger.headers.x-event}}",
    all: "{{trigger.headers}}",
  };
  const workflow = await publish(alice, {}, { steps: [transformStep("show", request)], edges: [] });
  const rawKey = key["authorization"]!.slice("Bearer ".length);
  const headers = { ...key, "x-event": "created", cookie: "id=1", "x-copy": `key ${rawKey}` };
  const { body } = await call(`${workflow.id}?page=2&tag=a&tag=b&token=t`, {}, headers);
  expect(body.result.output).toMatchObject({
    kind: "api",
    method: "POST",
    query: { page: "2", tag: ["a", "b"], token: "•••" },
    event: "created",
    all: { authorization: "•••", cookie: "•••", "x-copy": "key •••" },
  });
  expect(JSON.stringify((await alice.get(`/api/tasks/${body.taskId}`)).body)).not.toContain(rawKey);
});

test("an asynchronous call returns the task at once", async () => {
  const workflow = await publish(alice, { sync: false });
  const response = await call(workflow.id, { input: {} });
  expect(response.status).toBe(200);
  expect(response.body).toEqual({ ok: true, taskId: expect.any(String), workflowId: workflow.id });
});

test("an unknown, disabled or deleted endpoint is 404 before the key is checked", async () => {
  const off = await publish(alice, { enabled: false, endpointName: "switched-off" });
  const gone = await publish(alice);
  await alice.delete(`/api/workflows/${gone.id}`);
  for (const address of ["no-such-thing", "switched-off", off.id, gone.id, "wf_1", "%00", "x".repeat(400)]) {
    const response = await call(address, {}, {});
    expect(response.status).toBe(404);
    expect(response.body.error).toBe("workflow_not_found");
    expect(response.body.message).toContain("that the endpoint of the workflow is switched on");
  }
});

test("a slug equal to the id of a disabled workflow does not take over its calls", async () => {
  const off = await publish(alice, { enabled: false });
  await publish(bob, { endpointName: off.id, authentication: false });
  expect((await call(off.id)).status).toBe(404);
});

test("authentication requires a key, and without authentication no key is needed", async () => {
  const closed = await publish(alice);
  const open = await publish(alice, { authentication: false });
  const refused = await call(closed.id, { input: {} }, {});
  expect(refused.status).toBe(401);
  expect(refused.body.error).toBe("missing_api_key");
  expect((await call(open.id, { input: {} }, {})).status).toBe(200);
  expect((await call(open.id, { input: {} }, bearer("nonsense"))).status).toBe(200);
});

test("[S10] without a valid key the body is not parsed and no task is created", async () => {
  const workflow = await publish(alice);
  for (const headers of [{}, bearer("baton_wrong")]) {
    const response = await call(workflow.id, "{ not json", headers);
    expect(response.status).toBe(401);
  }
  expect((await call(workflow.id, "{ not json")).body.error).toBe("invalid_json");
  expect(await taskCount(workflow.id)).toBe(0);
});

test("the input must be an object or absent", async () => {
  const workflow = await publish(alice);
  for (const body of [undefined, {}, { input: {} }]) {
    const response = await call(workflow.id, body);
    expect(response.status).toBe(200);
    expect(response.body.result.output).toEqual({});
  }
  for (const body of [{ input: [] }, { input: "x" }, { input: 1 }, { input: null }, [], "null", "1"]) {
    const response = await call(workflow.id, body);
    expect(response.status).toBe(400);
    expect(response.body.error).toBe("invalid_request");
    expect(response.body.details).toEqual([{ path: expect.any(String), message: expect.any(String) }]);
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
  const response = await call(workflow.id, {
    input: { a: 1 },
    ...graph,
    metadata: graph,
    workflow: { ...workflow, metadata: graph },
    apiSettings: { sync: false, authentication: false, enabled: true, responseStepId: "injected" },
  });
  expect(response.body.result).toEqual({ output: { a: 1 }, outputs: { echo: { a: 1 } } });
  const inInput = await call(workflow.id, { input: { ...graph, metadata: graph } });
  expect(inInput.body.stepResults.map((step: { stepId: string }) => step.stepId)).toEqual(["echo"]);
});

test("a failed run is 500 with the failed step and the step results", async () => {
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
  const response = await call(workflow.id, { input: {} });
  expect(response.status).toBe(500);
  expect(response.body).toMatchObject({
    ok: false,
    error: "execution_failed",
    message: expect.any(String),
    taskId: expect.stringMatching(/^task_/),
    failedStep: "fetch",
  });
  expect(response.body.stepResults.map((step: { status: string }) => step.status)).toEqual([
    "completed",
    "failed",
  ]);
});

test("a run that waits for an approval returns that status", async () => {
  const workflow = await publish(
    alice,
    {},
    { steps: [{ stepId: "ask", type: "approval", message: "Go on?" }], edges: [] },
  );
  const response = await call(workflow.id, { input: {} });
  expect(response.status).toBe(200);
  expect(response.body).toMatchObject({ ok: true, status: "waiting_approval", taskId: expect.any(String) });
});

test("[R11] a run that exceeds the time limit is 504 with its task id and continues", async () => {
  // An own service: with its short limit the other tests would fail on a busy machine.
  const impatient = await useTestApp({ SYNC_TIMEOUT_MS: "100" });
  const workflow = await publish(
    await registerUser(impatient),
    { authentication: false },
    { steps: [{ stepId: "rest", type: "delay", seconds: 3600 }], edges: [] },
  );
  const response = await impatient.anonymous.post(`/api/workflows/public/${workflow.id}`, { input: {} });
  expect(response.status).toBe(504);
  expect(response.body).toMatchObject({ ok: false, error: "execution_timeout", taskId: expect.any(String) });
  const url = `/api/workflows/public/tasks/${response.body.taskId}`;
  await expect.poll(async () => (await impatient.anonymous.get(url)).body.status).toBe("waiting");
});

test("[R11] a task completes after its caller disconnects", async () => {
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
  const response = await call(workflow.id, { input: { n: 1 } }, { ...key, "idempotency-key": "hung-up" });
  expect(response.status).toBe(200);
  expect(await taskCount(workflow.id)).toBe(1);
});

test("a caller reads its task with a key of the owner", async () => {
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
  const foreign = bearer((await createKey(bob)).rawKey);
  expect((await app.anonymous.get(url, foreign)).body.error).toBe("invalid_api_key");
  for (const unknown of ["task_0", "x", "task_01k0000000000000000000000000z"]) {
    const response = await app.anonymous.get(`/api/workflows/public/tasks/${unknown}`, key);
    expect(response.body.error).toBe("task_not_found");
  }
});

test("without authentication the task id is sufficient until the endpoint is disabled", async () => {
  const workflow = await publish(alice, { authentication: false, sync: false });
  const { taskId } = (await call(workflow.id, {}, {})).body;
  const url = `/api/workflows/public/tasks/${taskId}`;
  expect((await app.anonymous.get(url)).status).toBe(200);
  await alice.patch(`/api/workflows/${workflow.id}`, { apiSettings: { enabled: false } });
  expect((await app.anonymous.get(url)).status).toBe(401);
  expect((await app.anonymous.get(url, key)).status).toBe(200);
});

test("a task that was not started by a public call cannot be read, with any key", async () => {
  const workflow = await publish(alice, { authentication: false });
  const { taskId } = (await alice.post(`/api/workflows/${workflow.id}/run`, { input: { private: 1 } })).body;
  for (const headers of [{}, key]) {
    const response = await app.anonymous.get(`/api/workflows/public/tasks/${taskId}`, headers);
    expect(response.body.error).toBe("task_not_found");
  }
});

test("the next call uses the edited graph and the changed settings", async () => {
  const workflow = await publish(alice);
  await call(workflow.id, {});
  await alice.patch(`/api/workflows/${workflow.id}`, { metadata: chain("renamed") });
  const response = await call(workflow.id, {});
  expect(Object.keys(response.body.result.outputs)).toEqual(["renamed"]);
  await alice.patch(`/api/workflows/${workflow.id}`, { apiSettings: { sync: false } });
  expect((await call(workflow.id, {})).body).toHaveProperty("workflowId");
});

test("[R3] fifty concurrent calls with one idempotency key create one task and get the same response", async () => {
  const workflow = await publish(alice, {}, echoGraph);
  const responses = await Promise.all(
    Array.from({ length: 50 }, () =>
      call(workflow.id, { input: { order: 7, item: "x" } }, { ...key, "idempotency-key": "order-7" }),
    ),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect(await taskCount(workflow.id)).toBe(1);
  const reordered = await call(workflow.id, '{ "input": {"item":"x", "order":7} }', {
    ...key,
    "idempotency-key": "order-7",
  });
  expect(reordered.text).toBe(responses[0]?.text);
});

test("[R3] the same key with a different body is a conflict; at another endpoint it is a different key", async () => {
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
