import { expect, test } from "vitest";
import { clientOf } from "../support/client.ts";
import { transformStep as value } from "../support/graphs.ts";
import { registerUser, type RegisteredUser, type TestApp } from "../support/test-app.ts";
import {
  foreach,
  http,
  reach,
  read,
  save,
  serve,
  start,
  sub,
} from "../../server/engine/testing/workbench.ts";
import { useProcessGroup } from "./several.ts";

const ask = { stepId: "ask", type: "approval", message: "Go on?" };

/** The same account, seen by another process. */
function at(app: TestApp, { token }: RegisteredUser) {
  return clientOf(app.http, token);
}

test("an API process accepts, a worker runs, and the waiting caller receives the result", async () => {
  const several = await useProcessGroup();
  const api = await several.join("api");
  const ada = await registerUser(api);
  const workflowId = await save(ada, [foreach("each", ["{{input.n}}"], [value("x", "{{item}}!")])]);
  const queued = await ada.post(`/api/workflows/${workflowId}/run`, { input: { n: 1 } });
  expect(queued.body).toMatchObject({ ok: true, status: "queued" });
  expect((await read(ada, queued.body.taskId)).status).toBe("queued");

  await several.join("worker");
  await reach(ada, queued.body.taskId, "completed");
  const waited = await ada.post(`/api/workflows/${workflowId}/run?wait=true`, { input: { n: 2 } });
  expect(waited.body).toMatchObject({ ok: true, status: "completed", result: { output: ["2!"] } });
});

test("a task of pure steps is completed when it is accepted, without a worker", async () => {
  const several = await useProcessGroup();
  const api = await several.join("api");
  const ada = await registerUser(api);
  const workflowId = await save(ada, [value("a", "{{input.n}}"), value("b", "{{steps.a.output}}!")]);
  const { body } = await ada.post(`/api/workflows/${workflowId}/run?wait=true`, { input: { n: 2 } });
  expect(body).toMatchObject({ ok: true, status: "completed", result: { output: "2!" } });
  expect((await api.anonymous.get("/metrics")).text).toContain("baton_tasks_running 0");
});

test("a worker serves health and metrics, and nothing else", async () => {
  const several = await useProcessGroup();
  const worker = await several.join("worker");
  expect((await worker.anonymous.get("/ready")).status).toBe(200);
  expect((await worker.anonymous.get("/metrics")).text).toContain("baton_queue_due_tasks 0");
  expect((await worker.anonymous.post("/api/auth/login", {})).status).toBe(404);
});

test("due and stuck tasks are in the metrics", async () => {
  const several = await useProcessGroup();
  const api = await several.join("api");
  const ada = await registerUser(api);
  await start(ada, await save(ada, [foreach("each", [1], [value("a")])]));
  const { text } = await api.anonymous.get("/metrics");
  expect(text).toContain("baton_queue_due_tasks 1");
  expect(text).toContain("baton_stuck_tasks 0");
});

test("a call in flight in another process is aborted when its task is cancelled here", async () => {
  const several = await useProcessGroup();
  const [api] = [await several.join("api"), await several.join("worker")];
  const ada = await registerUser(api);
  let gone = false;
  const other = await serve((request) => void request.on("close", () => (gone = true)));
  const id = await start(ada, await save(ada, [http("slow", other.url)]));
  await expect.poll(() => other.calls.length).toBe(1);
  expect((await ada.post(`/api/tasks/${id}/cancel`)).status).toBe(200);
  await expect.poll(() => gone).toBe(true);
  expect((await read(ada, id)).status).toBe("cancelled");
});

test("a decision in one process continues a run in another at once, and its parent, too", async () => {
  const several = await useProcessGroup();
  const [api] = [await several.join("api"), await several.join("worker"), await several.join("worker")];
  const ada = await registerUser(api);
  const inner = await save(ada, [ask, value("end", "decided")]);
  const id = await start(ada, await save(ada, [sub("call", inner)]));
  await reach(ada, id, "waiting_approval");
  await ada.post(`/api/tasks/${id}/resume`);
  expect(await reach(ada, id, "completed")).toMatchObject({ result: { output: "decided" } });
});

test("events of a run in another process arrive in order, without gap or repeat", async () => {
  const several = await useProcessGroup();
  const [api] = [await several.join("api"), await several.join("worker")];
  const address = await api.listen();
  const ada = await registerUser(api);
  const id = await start(ada, await save(ada, [ask, foreach("each", [1, 2, 3], [value("x")]), value("end")]));
  await reach(ada, id, "waiting_approval");
  const response = await fetch(`${address}/api/tasks/${id}/events`, {
    headers: { authorization: `Bearer ${ada.token}` },
  });
  const whole = response.text();
  await ada.post(`/api/tasks/${id}/resume`);
  const ids = [...(await whole).matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq));
  expect(ids.length).toBeGreaterThan(5);
  expect(ids).toEqual(ids.map((_, index) => index + 1));
});

test("fifty equal calls to two processes with one idempotency key make one task", async () => {
  const several = await useProcessGroup();
  const [one, two] = [await several.join("all"), await several.join("all")];
  const ada = await registerUser(one);
  const workflowId = await save(ada, [value("a")], [], { apiSettings: { enabled: true } });
  const { rawKey } = (await ada.post("/api/keys", {})).body;
  const headers = { authorization: `Bearer ${rawKey}`, "idempotency-key": "the same" };
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      (n % 2 === 0 ? one : two).anonymous.post(`/api/workflows/public/${workflowId}`, { input: {} }, headers),
    ),
  );
  expect(new Set(answers.map(({ body }) => body.taskId)).size).toBe(1);
});

test("a key revoked in one process is refused by the other at once", async () => {
  const several = await useProcessGroup();
  const [one, two] = [await several.join("all"), await several.join("all")];
  const ada = await registerUser(one);
  const workflowId = await save(ada, [value("a")], [], { apiSettings: { enabled: true, sync: true } });
  const { rawKey, apiKey } = (await ada.post("/api/keys", {})).body;
  const call = () =>
    two.anonymous.post(
      `/api/workflows/public/${workflowId}`,
      { input: {} },
      {
        authorization: `Bearer ${rawKey}`,
      },
    );
  expect((await call()).status).toBe(200);
  expect((await ada.delete(`/api/keys/${apiKey.id}`)).status).toBe(200);
  expect((await call()).status).toBe(401);
});

test("processes share rate limits: a client over the limit in one is over it in the other", async () => {
  const several = await useProcessGroup({ RATE_LIMIT_LOGIN_PER_MINUTE: "4" });
  const [one, two] = [await several.join("all"), await several.join("all")];
  const login = (app: TestApp) =>
    app.anonymous.post("/api/auth/login", { email: "a@example.com", password: "wrong wrong" });
  const statuses: number[] = [];
  for (const app of [one, two, one, two, one, two]) statuses.push((await login(app)).status);
  expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
  expect((await login(two)).headers["retry-after"]).toBeDefined();
});

test("a process with another encryption key does not start", async () => {
  const several = await useProcessGroup();
  await several.join("all");
  await expect(several.join("all", { ENCRYPTION_KEY: "fedcba9876543210".repeat(4) })).rejects.toThrow(
    /ENCRYPTION_KEY/,
  );
  const rotated = await several.join("all", {
    ENCRYPTION_KEY: `${"fedcba9876543210".repeat(4)},${"0123456789abcdef".repeat(4)}`,
  });
  expect((await rotated.anonymous.get("/ready")).status).toBe(200);
});

test("a schedule created in an API process is started by a worker", async () => {
  const several = await useProcessGroup();
  const api = await several.join("api", { SCHEDULE_MIN_INTERVAL_SECONDS: "0" });
  await several.join("worker");
  const ada = await registerUser(api);
  const workflowId = await save(ada, [value("a", "on time")]);
  await ada.post("/api/schedules", { workflowId, name: "now", cron: "* * * * * *", timezone: "UTC" });
  await expect
    .poll(async () => (await ada.get("/api/tasks?status=completed")).body.tasks.length, { timeout: 15_000 })
    .toBeGreaterThan(0);
});

test("a stopping process hands its work over, and no recorded step is executed again", async () => {
  const several = await useProcessGroup();
  const [api, first] = [await several.join("api"), await several.join("worker", { STOP_GRACE_MS: "500" })];
  const ada = await registerUser(api);
  const counted = await serve((_request, response) => response.end("counted"));
  const held: (() => void)[] = [];
  const slow = await serve((_request, response) => void held.push(() => response.end("slow")));
  const id = await start(ada, await save(ada, [http("once", counted.url), http("slow", slow.url)]));
  await expect.poll(() => held.length).toBe(1);
  const stopping = first.stop();
  await several.join("worker");
  await stopping;
  await expect.poll(() => held.length, { timeout: 20_000 }).toBe(2);
  held[1]!();
  await reach(ada, id, "completed");
  expect(counted.calls).toHaveLength(1);
});

test("every process sees the same task", async () => {
  const several = await useProcessGroup();
  const [one, two] = [await several.join("all"), await several.join("all")];
  const ada = await registerUser(one);
  const id = await start(ada, await save(ada, [value("a")]));
  await reach(ada, id, "completed");
  expect(await read(at(two, ada), id)).toEqual(await read(ada, id));
});
