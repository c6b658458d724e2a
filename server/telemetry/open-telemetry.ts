import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { Counter, type Registry } from "prom-client";
import type { Egress } from "../security/egress.ts";
import { metricsMessage } from "./otlp/metrics.ts";
import type { OtlpSource } from "./otlp/otlp-values.ts";
import { createSend, type Send } from "./otlp/send.ts";
import { createSpanQueue } from "./otlp/span-queue.ts";
import { tracesMessage } from "./otlp/spans.ts";
import { createSampler } from "./sampler.ts";
import type { TelemetrySettings } from "./telemetry-settings.ts";
import { createTracer } from "./tracer.ts";
import type { Tracing } from "./tracing.ts";

export interface TelemetryDeps {
  settings: TelemetrySettings;
  registry: Registry;
  /** A separate guard, which allows only the address of the collector. */
  egress: Egress;
  version: string;
  onProblem(message: string): void;
}

export interface Telemetry {
  /** Undefined when only metrics are sent. */
  tracing: Tracing | undefined;
  close(): Promise<void>;
}

/** A stop never waits longer for the collector. */
const CLOSE_MS = 2000;
/** A collector that is gone is reported once in this time. */
const REPORT_MS = 60_000;

/** Sends spans and metrics to a collector. Loaded only when an endpoint is set. */
export function openTelemetry({ settings, registry, egress, version, onProblem }: TelemetryDeps): Telemetry {
  const { tracesUrl, metricsUrl, headers, timeoutMs } = settings;
  const source: OtlpSource = {
    version,
    resource: {
      "service.version": version,
      "service.instance.id": randomUUID(),
      "host.name": hostname(),
      "process.pid": process.pid,
      ...settings.resource,
    },
  };
  const sendTo = (url: string): Send => createSend({ egress, url, headers, timeoutMs });
  let reportedAt = Number.NEGATIVE_INFINITY;
  const report = (what: string, reason: string): void => {
    if (performance.now() - reportedAt < REPORT_MS) return;
    reportedAt = performance.now();
    onProblem(`telemetry: ${what} could not be sent: ${reason}`);
  };

  const traces = tracesUrl === undefined ? undefined : openTraces(sendTo(tracesUrl));
  const metrics = metricsUrl === undefined ? undefined : openMetrics(sendTo(metricsUrl));

  function openTraces(send: Send) {
    const counted = new Counter({
      name: "baton_telemetry_spans_total",
      help: "Spans by outcome: sent, queue_full (dropped, because the queue was full) or failed (the collector did not accept them)",
      labelNames: ["outcome"],
      registers: [registry],
    });
    const queue = createSpanQueue({
      ...settings.spans,
      toMessage: (spans) => tracesMessage(source, spans),
      send,
      onSpans: (outcome, count) => counted.inc({ outcome }, count),
      onProblem: (reason) => report("spans", reason),
    });
    const { name, ratio } = settings.sampler;
    const tracing = createTracer({
      isSampled: createSampler(name, ratio),
      onEnd: queue.add,
      propagates: settings.propagates,
    });
    return { tracing, close: queue.close };
  }

  function openMetrics(send: Send) {
    const startedAt = Date.now();
    const stopping = new AbortController();
    let sending: Promise<void> | undefined;
    const sendNow = async (): Promise<void> => {
      const message = await metricsMessage(source, registry, startedAt, Date.now());
      const sent = await send(message, stopping.signal);
      if (!sent.ok && !stopping.signal.aborted) report("metrics", sent.reason);
    };
    // The next message has newer values: none is kept or repeated.
    const timer = setInterval(() => {
      sending ??= sendNow()
        .catch((error: unknown) => report("metrics", String(error)))
        .finally(() => (sending = undefined));
    }, settings.metricsIntervalMs).unref();
    return {
      async close(ms: number): Promise<void> {
        clearInterval(timer);
        const limit = setTimeout(() => stopping.abort(), ms);
        await sending;
        if (!stopping.signal.aborted) await sendNow().catch(() => undefined);
        clearTimeout(limit);
      },
    };
  }

  return {
    tracing: traces?.tracing,
    async close() {
      await Promise.all([traces?.close(CLOSE_MS), metrics?.close(CLOSE_MS)]);
      await egress.close();
    },
  };
}
