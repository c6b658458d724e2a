import { build } from "esbuild";
import { expect, test, vi } from "vitest";
import { reach, save, start } from "../../server/engine/testing/workbench.ts";
import { createSpanQueue } from "../../server/telemetry/otlp/span-queue.ts";
import type { Send } from "../../server/telemetry/otlp/send.ts";
import type { EndedSpan } from "../../server/telemetry/tracing.ts";
import { transformStep } from "../support/graphs.ts";
import { telemetrySettings, useOtlpReceiver } from "../support/otlp-receiver.ts";
import { createTestApp, registerUser, useTestApp } from "../support/test-app.ts";

const spansOf = async (
  app: { anonymous: { get(url: string): Promise<{ text: string }> } },
  outcome: string,
) => {
  const { text } = await app.anonymous.get("/metrics");
  return Number(
    new RegExp(`baton_telemetry_spans_total\\{outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1] ?? 0,
  );
};

test("the metrics of /metrics are sent under the same names", async () => {
  const collector = await useOtlpReceiver();
  const app = await useTestApp({
    ...telemetrySettings(collector),
    OTEL_EXPORTER_OTLP_HEADERS: "x-token=a%20b,other=1",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    OTEL_SERVICE_NAME: "orders",
  });
  const alice = await registerUser(app, "alice");
  const workflowId = await save(alice, [transformStep("a", "x")]);
  await reach(alice, await start(alice, workflowId), "completed");
  const points = await vi.waitFor(() => collector.metrics.get("baton_runs_total").sum.dataPoints, 10_000);
  expect(points).toMatchObject([
    {
      asDouble: 1,
      attributes: [
        { key: "outcome", value: { stringValue: "completed" } },
        { key: "trigger", value: { stringValue: "manual" } },
      ],
    },
  ]);
  const [steps] = collector.metrics.get("baton_step_seconds").histogram.dataPoints;
  expect(steps.count).toBe("1");
  expect(steps.bucketCounts).toHaveLength(steps.explicitBounds.length + 1);
  expect(steps.bucketCounts.reduce((sum: number, count: string) => sum + Number(count), 0)).toBe(1);
  const { text } = await app.anonymous.get("/metrics");
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!);
  const filled = names.filter((name) => new RegExp(`^${name}(_count|_bucket)?[{ ]`, "m").test(text));
  expect(filled.filter((name) => !collector.metrics.has(name))).toEqual([]);
  expect(collector.requests[0]?.headers).toMatchObject({ "x-token": "a b", other: "1" });
  expect(collector.text()).toContain('"stringValue":"orders"');
  expect(collector.text()).toContain("deployment.environment.name");
});

test("a collector that never responds costs spans, and neither runs nor the stop wait for it", async () => {
  const collector = await useOtlpReceiver();
  collector.respondWith("never");
  const app = await createTestApp({
    ...telemetrySettings(collector),
    OTEL_BSP_MAX_QUEUE_SIZE: "5",
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "2",
    OTEL_EXPORTER_OTLP_TIMEOUT: "60000",
  });
  const alice = await registerUser(app, "alice");
  const workflowId = await save(alice, [transformStep("a", "x")]);
  for (let i = 0; i < 5; i += 1) await reach(alice, await start(alice, workflowId), "completed");
  expect(await spansOf(app, "queue_full")).toBeGreaterThan(5);
  expect(await spansOf(app, "sent")).toBe(0);
  // The request that is open would last a minute.
  await app.close();
});

test("a collector that refuses connections fails no run and is reported", async () => {
  const app = await useTestApp({
    ...telemetrySettings({ url: "http://127.0.0.1:1" }),
    OTEL_METRICS_EXPORTER: "none",
  });
  const alice = await registerUser(app, "alice");
  const workflowId = await save(alice, [transformStep("a", "x")]);
  await reach(alice, await start(alice, workflowId), "completed");
});

const span: EndedSpan = {
  context: { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: true },
  name: "n",
  kind: "internal",
  startedAt: 1,
  endedAt: 2,
  attributes: {},
};

function queueWith(send: Send, maxSpans = 10) {
  const counts: Record<string, number> = {};
  const queue = createSpanQueue({
    toMessage: (spans) => ({ spans }),
    send,
    maxSpans,
    maxBatch: 2,
    delayMs: 5,
    onSpans: (outcome, count) => void (counts[outcome] = (counts[outcome] ?? 0) + count),
    onProblem: () => undefined,
  });
  return { queue, counts };
}

test("a batch that the collector cannot take now is sent again, and one that it rejects is not", async () => {
  const answers = [
    { ok: false, retry: true, reason: "status 503", retryAfterMs: 1 },
    { ok: true },
    { ok: false, retry: false, reason: "status 400" },
  ];
  const send = vi.fn<Send>(() =>
    Promise.resolve((answers.shift() ?? { ok: true }) as Awaited<ReturnType<Send>>),
  );
  const { queue, counts } = queueWith(send);
  for (let i = 0; i < 4; i += 1) queue.add(span);
  await vi.waitFor(() => expect(counts).toEqual({ sent: 2, failed: 2 }));
  expect(send).toHaveBeenCalledTimes(3);
  await queue.close(1000);
});

test("closing sends the spans that are left, and drops those that come later", async () => {
  const send = vi.fn<Send>(() => Promise.resolve({ ok: true }));
  const { queue, counts } = queueWith(send, 5);
  queue.add(span);
  await queue.close(1000);
  queue.add(span);
  expect(counts).toEqual({ sent: 1, queue_full: 1 });
});

test("without an endpoint no code of tracing or of the exporter is loaded", async () => {
  const { metafile } = await build({
    entryPoints: ["server/service.ts"],
    bundle: true,
    write: false,
    metafile: true,
    packages: "external",
    platform: "node",
    format: "esm",
    outdir: "out",
    logLevel: "silent",
  });
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? [])
      if (kind === "import-statement" && external !== true) visit(path);
  };
  visit("server/service.ts");
  expect(reached.has("server/platform/open-collector.ts")).toBe(true);
  const lazy = Object.keys(metafile.inputs).filter((file) =>
    /telemetry\/(otlp\/|open-telemetry|tracer|run-tracing)/.test(file),
  );
  expect(lazy.length).toBeGreaterThan(6);
  expect(lazy.filter((file) => reached.has(file))).toEqual([]);
});
