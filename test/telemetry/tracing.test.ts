import { expect, test } from "vitest";
import {
  foreach,
  http,
  inTurn,
  reach,
  save,
  serve,
  start,
  sub,
} from "../../server/engine/testing/workbench.ts";
import { publish } from "../support/endpoints.ts";
import { edge, transformStep } from "../support/graphs.ts";
import {
  type OtlpReceiver,
  type ReceivedSpan,
  telemetrySettings,
  useOtlpReceiver,
} from "../support/otlp-receiver.ts";
import { registerUser, useTestApp } from "../support/test-app.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const CALLER = "b7ad6b7169203331";
const incoming = { traceparent: `00-${TRACE}-${CALLER}-01`, tracestate: "vendor=opaque,other=1" };

async function open(settings: Record<string, string> = {}) {
  const collector = await useOtlpReceiver();
  const app = await useTestApp({ ...telemetrySettings(collector), ...settings });
  return { app, collector, alice: await registerUser(app, "alice") };
}

const named = (spans: ReceivedSpan[], name: string) => spans.filter((span) => span.name === name);
const theOne = (spans: ReceivedSpan[], name: string): ReceivedSpan => {
  const found = named(spans, name);
  expect([name, found.length]).toEqual([name, 1]);
  return found[0]!;
};
const whenNamed = (collector: OtlpReceiver, name: string, count = 1) =>
  collector.when((spans) => named(spans, name).length >= count);

/** A server that keeps the headers of its requests. */
async function listen(answer: Parameters<typeof inTurn> = [{ ok: true }]) {
  const headers: Record<string, unknown>[] = [];
  const respond = inTurn(...answer);
  const server = await serve((request, response, calls) => {
    headers.push(request.headers);
    respond(request, response, calls);
  });
  return { ...server, headers };
}

test("a call of an endpoint is one connected trace, from the caller to the outgoing request", async () => {
  const { app, collector, alice } = await open();
  const other = await listen();
  const steps = [transformStep("first", "x"), http("call", `${other.url}/orders/7?token=hidden-in-query`)];
  const { id } = await publish(
    alice,
    { authentication: false, sync: true },
    { steps, edges: [edge("first", "call")] },
  );
  const url = `/api/workflows/public/${id}`;
  expect((await app.anonymous.post(url, {}, incoming)).status).toBe(200);

  const all = await whenNamed(collector, "POST /api/workflows/public/:idOrSlug");
  const spans = all.filter(({ traceId }) => traceId === TRACE);
  const request = theOne(spans, "POST /api/workflows/public/:idOrSlug");
  const run = theOne(spans, "run api");
  const [pure, call, get] = ["step transform", "step http", "GET"].map((name) => theOne(spans, name));
  expect(request).toMatchObject({
    kind: 2,
    parentSpanId: CALLER,
    traceState: incoming.tracestate,
    attributes: { "http.route": "/api/workflows/public/:idOrSlug", "http.response.status_code": 200 },
    resource: { "service.name": "baton", "process.pid": process.pid },
  });
  expect(run).toMatchObject({
    parentSpanId: request.spanId,
    attributes: { "baton.workflow.id": id, "baton.task.status": "completed" },
  });
  expect(pure).toMatchObject({ parentSpanId: run.spanId, attributes: { "baton.step.path": "first" } });
  expect(call).toMatchObject({ parentSpanId: run.spanId, isError: false });
  expect(get).toMatchObject({
    kind: 3,
    parentSpanId: call?.spanId,
    attributes: { "server.address": "127.0.0.1", "http.response.status_code": 200 },
  });
  expect(other.headers[0]).toMatchObject({
    traceparent: `00-${TRACE}-${get?.spanId}-01`,
    tracestate: incoming.tracestate,
  });
  for (const { startTimeUnixNano, endTimeUnixNano } of spans)
    expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true);
});

test("a trace header of the step wins, and invalid headers of a caller begin a new trace", async () => {
  const { collector, alice } = await open();
  const other = await listen();
  const own = `00-${"1".repeat(32)}-${"2".repeat(16)}-01`;
  const workflowId = await save(alice, [http("call", other.url, { headers: { Traceparent: own } })]);
  for (const traceparent of [`00-${"0".repeat(32)}-${CALLER}-01`, `ff-${TRACE}-${CALLER}-01`, "junk"]) {
    await alice.call(`/api/workflows/${workflowId}/run?wait=true`, {
      method: "POST",
      body: {},
      headers: { traceparent },
    });
  }
  const spans = await whenNamed(collector, "POST /api/workflows/:id/run", 3);
  expect(other.headers.map((headers) => headers["traceparent"])).toEqual([own, own, own]);
  const requests = named(spans, "POST /api/workflows/:id/run");
  expect(requests).toHaveLength(3);
  for (const { parentSpanId, traceId } of requests) {
    expect(parentSpanId).toBeUndefined();
    expect(traceId).not.toMatch(new RegExp(`^0+$|${TRACE}`));
  }
});

test("a retry is a span with a link to the attempt before", async () => {
  const { collector, alice } = await open();
  const other = await listen([503, { ok: true }]);
  const workflowId = await save(alice, [http("call", other.url, { maxRetries: 1, backoffMultiplier: 1 })]);
  await reach(alice, await start(alice, workflowId), "completed");
  const spans = await whenNamed(collector, "run manual");
  const [first, second] = named(spans, "step http").toSorted(
    (a, b) => Number(a.attributes["baton.step.attempt"]) - Number(b.attributes["baton.step.attempt"]),
  );
  expect(first).toMatchObject({ isError: true, attributes: { "error.type": "http_error" }, links: [] });
  expect(second).toMatchObject({
    isError: false,
    parentSpanId: first?.parentSpanId,
    links: [{ traceId: first?.traceId, spanId: first?.spanId }],
  });
});

test("a rerun is a new span of the same trace, a replay is a new trace, both with a link", async () => {
  const { collector, alice } = await open();
  const other = await listen([400, { ok: true }]);
  const workflowId = await save(alice, [http("call", other.url)]);
  const taskId = await start(alice, workflowId);
  await reach(alice, taskId, "failed");
  await alice.post(`/api/tasks/${taskId}/rerun-from-failed`, {});
  await reach(alice, taskId, "completed");
  const replayed = (await alice.post(`/api/tasks/${taskId}/replay`, {})).body.taskId;
  await reach(alice, replayed, "completed");
  const runs = named(await whenNamed(collector, "run manual", 3), "run manual");
  const of = (id: string, status: string) =>
    runs.find(
      ({ attributes }) => attributes["baton.task.id"] === id && attributes["baton.task.status"] === status,
    )!;
  const [failed, rerun, replay] = [of(taskId, "failed"), of(taskId, "completed"), of(replayed, "completed")];
  expect(failed).toMatchObject({ isError: true, links: [] });
  expect(rerun).toMatchObject({
    traceId: failed.traceId,
    links: [{ traceId: failed.traceId, spanId: failed.spanId }],
  });
  expect(rerun.spanId).not.toBe(failed.spanId);
  expect(replay.traceId).not.toBe(failed.traceId);
  expect(replay).toMatchObject({ links: [{ traceId: failed.traceId, spanId: failed.spanId }] });
});

test("steps of loops and runs of sub-workflows are below the step that started them", async () => {
  const { collector, alice } = await open();
  const child = await save(alice, [transformStep("inner", "x")]);
  const steps = [foreach("each", [1, 2], [transformStep("item", "{{item}}")]), sub("call", child)];
  const workflowId = await save(alice, steps, [edge("each", "call")]);
  await reach(alice, await start(alice, workflowId), "completed");
  const spans = await whenNamed(collector, "run manual");
  const [loop, call, below] = ["step foreach", "step workflow", "run workflow"].map((name) =>
    theOne(spans, name),
  );
  const items = spans.filter(({ attributes }) =>
    /^each\[\d\]\/item$/.test(String(attributes["baton.step.path"])),
  );
  expect(items.map(({ parentSpanId }) => parentSpanId)).toEqual([loop?.spanId, loop?.spanId]);
  expect(below).toMatchObject({ traceId: call?.traceId, parentSpanId: call?.spanId });
});

test("a run that waits for an approval continues its trace, and a cancelled one ends its span", async () => {
  const { collector, alice } = await open();
  const steps = [{ stepId: "ask", type: "approval", message: "Go on?" }, transformStep("then", "x")];
  const workflowId = await save(alice, steps as never, [edge("ask", "then")]);
  const [approved, cancelled] = [await start(alice, workflowId), await start(alice, workflowId)];
  for (const id of [approved, cancelled]) await reach(alice, id, "waiting_approval");
  await alice.post(`/api/tasks/${approved}/resume`, {});
  await reach(alice, approved, "completed");
  await alice.post(`/api/tasks/${cancelled}/cancel`, {});
  const spans = await whenNamed(collector, "run manual", 2);
  const status = (id: string) =>
    named(spans, "run manual").find(({ attributes }) => attributes["baton.task.id"] === id)!;
  expect(status(cancelled)).toMatchObject({
    attributes: { "baton.task.status": "cancelled" },
    isError: false,
  });
  const { traceId, spanId } = status(approved);
  const ask = theOne(spans, "step approval");
  expect(ask).toMatchObject({ traceId, parentSpanId: spanId });
  expect(theOne(spans, "step transform")).toMatchObject({ traceId, parentSpanId: spanId });
  const request = named(spans, "POST /api/workflows/:id/run").find((span) => span.traceId === traceId);
  expect(status(approved).parentSpanId).toBe(request?.spanId);
});

test("no secret, header, query, path or body is in what is sent", async () => {
  const { app, collector, alice } = await open();
  const other = await listen([{ echoed: "body-of-response" }, 400]);
  await alice.post("/api/variables", { name: "TOKEN", value: "secret-of-alice-42", secret: true });
  const call = (stepId: string) =>
    http(stepId, `${other.url}/path-secret?key={{secrets.TOKEN}}`, {
      method: "POST",
      headers: { authorization: "Bearer {{secrets.TOKEN}}", "x-own": "header-value" },
      body: { text: "body-of-request" },
    });
  const steps = [call("one"), call("two")];
  const { id } = await publish(
    alice,
    { authentication: false, sync: true },
    { steps, edges: [edge("one", "two")] },
  );
  const url = `/api/workflows/public/${id}?query=query-value`;
  await app.anonymous.post(url, { input: { text: "input-value" } }, { authorization: "Bearer caller-key" });
  await whenNamed(collector, "POST /api/workflows/public/:idOrSlug");
  expect(named(collector.spans, "POST")).toHaveLength(2);
  for (const hidden of [
    "secret-of-alice",
    "path-secret",
    "header-value",
    "body-of-re",
    "input-value",
    "query-value",
    "caller-key",
  ])
    expect(collector.text()).not.toContain(hidden);
});

test("a trace that is not sampled is passed on and not recorded", async () => {
  const { collector, alice } = await open({ OTEL_TRACES_SAMPLER: "parentbased_always_off" });
  const other = await listen();
  const workflowId = await save(alice, [http("call", other.url)]);
  await reach(alice, await start(alice, workflowId), "completed");
  expect(other.headers[0]?.["traceparent"]).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  await alice.call(`/api/workflows/${workflowId}/run?wait=true`, {
    method: "POST",
    body: {},
    headers: incoming,
  });
  await whenNamed(collector, "run manual");
  expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
});

test("OTEL_PROPAGATORS=none neither reads nor sends trace headers", async () => {
  const { collector, alice } = await open({ OTEL_PROPAGATORS: "none" });
  const other = await listen();
  const workflowId = await save(alice, [http("call", other.url)]);
  await alice.call(`/api/workflows/${workflowId}/run?wait=true`, {
    method: "POST",
    body: {},
    headers: incoming,
  });
  const spans = await whenNamed(collector, "run manual");
  expect(other.headers[0]?.["traceparent"]).toBeUndefined();
  expect(spans.some(({ traceId }) => traceId === TRACE)).toBe(false);
});
