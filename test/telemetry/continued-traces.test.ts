import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { foreach, http, reach, save, serve, start } from "../../server/engine/testing/workbench.ts";
import { useProcessGroup } from "../processes/several.ts";
import { transformStep } from "../support/graphs.ts";
import { type ReceivedSpan, telemetrySettings, useOtlpReceiver } from "../support/otlp-receiver.ts";
import { startService } from "../support/service-process.ts";
import { registerUser } from "../support/test-app.ts";

const theOne = (spans: ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.filter((span) => span.name === name);
  expect([name, found.length]).toEqual([name, 1]);
  return found[0]!;
};
const instanceOf = ({ resource }: ReceivedSpan) => resource["service.instance.id"];

test("a worker continues the trace of a task that an API process accepted", async () => {
  const collector = await useOtlpReceiver();
  const several = await useProcessGroup(telemetrySettings(collector));
  const api = await several.join("api");
  const ada = await registerUser(api);
  const workflowId = await save(ada, [foreach("each", [1], [transformStep("item", "{{item}}")])]);
  const taskId = await start(ada, workflowId);
  await several.join("worker");
  await reach(ada, taskId, "completed");
  const spans = await collector.when((all) => all.some(({ name }) => name === "run manual"));
  const request = theOne(spans, "POST /api/workflows/:id/run");
  const run = theOne(spans, "run manual");
  expect(run).toMatchObject({ traceId: request.traceId, parentSpanId: request.spanId });
  expect(instanceOf(run)).not.toBe(instanceOf(request));
  expect(theOne(spans, "step foreach")).toMatchObject({ traceId: run.traceId, parentSpanId: run.spanId });
});

test("a run continues its trace after its process was killed", async () => {
  const collector = await useOtlpReceiver();
  const dataDir = mkdtempSync(join(tmpdir(), "baton-trace-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const settings = { DATA_DIR: dataDir, LOG_LEVEL: "silent", ...telemetrySettings(collector) };
  const traceparents: unknown[] = [];
  const other = await serve((request, response, calls) => {
    traceparents.push(request.headers["traceparent"]);
    // The first request is open when the process is killed.
    if (calls.length > 1) response.end('{"ok": true}');
  });

  const first = startService(settings);
  const firstUrl = await first.ready();
  const call = async (url: string, body: object, headers: object = {}) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, any>;
  };
  const account = { email: "ada@example.com", password: "a long enough password", name: "Ada" };
  const { token } = await call(`${firstUrl}/api/auth/register`, account);
  const login = { authorization: `Bearer ${token}` };
  const steps = [http("call", other.url)];
  const { workflow } = await call(`${firstUrl}/api/workflows`, { name: "n", metadata: { steps } }, login);
  const { taskId } = await call(`${firstUrl}/api/workflows/${workflow.id}/run`, {}, login);
  await vi.waitFor(() => expect(other.calls).toHaveLength(1), 10_000);
  await collector.when((all) => all.some(({ name }) => name === "POST /api/workflows/:id/run"));
  await first.stop("SIGKILL");

  await startService(settings).ready();
  const spans = await collector.when((all) => all.some(({ name }) => name === "run manual"));
  const request = theOne(spans, "POST /api/workflows/:id/run");
  const run = theOne(spans, "run manual");
  const step = theOne(spans, "step http");
  expect(run).toMatchObject({
    traceId: request.traceId,
    parentSpanId: request.spanId,
    attributes: { "baton.task.id": taskId, "baton.task.status": "completed" },
  });
  expect(instanceOf(run)).not.toBe(instanceOf(request));
  expect(step).toMatchObject({ traceId: request.traceId, parentSpanId: run.spanId });
  expect(traceparents).toHaveLength(2);
  for (const traceparent of traceparents) expect(traceparent).toContain(request.traceId);
});
