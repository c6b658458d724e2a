import type * as z from "zod";
import type { SamplerName } from "./sampler.ts";
import { percentDecode } from "../lib/lenient-parse.ts";

/** The settings of the OpenTelemetry specification that this service knows; undefined while no endpoint is set. */
export interface TelemetrySettings {
  /** Undefined: no spans are recorded. */
  tracesUrl: string | undefined;
  /** Undefined: metrics are not sent; `/metrics` has them. */
  metricsUrl: string | undefined;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  resource: Readonly<Record<string, string>>;
  sampler: { name: SamplerName; ratio: number };
  propagates: boolean;
  /** Prompts and answers of models are recorded. */
  capturesContent: boolean;
  spans: { delayMs: number; maxSpans: number; maxBatch: number };
  metricsIntervalMs: number;
}

/** `key=value` pairs with commas between; values may be percent-encoded. */
export function readPairs(text: string, context: z.RefinementCtx): Readonly<Record<string, string>> {
  const pairs = text.split(",").filter((part) => part.trim() !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      const key = pair.slice(0, at).trim();
      if (at < 1 || key === "") context.addIssue("must be pairs such as key=value,other=value");
      return [key, percentDecode(pair.slice(at + 1).trim())];
    }),
  );
}

export interface TelemetryEnvironment {
  OTEL_SDK_DISABLED: boolean;
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_HEADERS: Readonly<Record<string, string>>;
  OTEL_EXPORTER_OTLP_TIMEOUT: number;
  OTEL_TRACES_EXPORTER: "otlp" | "none";
  OTEL_METRICS_EXPORTER: "otlp" | "none";
  OTEL_SERVICE_NAME?: string | undefined;
  OTEL_RESOURCE_ATTRIBUTES: Readonly<Record<string, string>>;
  OTEL_TRACES_SAMPLER: SamplerName;
  OTEL_TRACES_SAMPLER_ARG: number;
  OTEL_PROPAGATORS: readonly string[];
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: boolean;
  OTEL_BSP_SCHEDULE_DELAY: number;
  OTEL_BSP_MAX_QUEUE_SIZE: number;
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: number;
  OTEL_METRIC_EXPORT_INTERVAL: number;
}

export function readTelemetry(env: TelemetryEnvironment): TelemetrySettings | undefined {
  if (env.OTEL_SDK_DISABLED) return undefined;
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, "");
  const under = (path: string) => (base === undefined ? undefined : `${base}${path}`);
  const tracesUrl =
    env.OTEL_TRACES_EXPORTER === "none"
      ? undefined
      : (env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? under("/v1/traces"));
  const metricsUrl =
    env.OTEL_METRICS_EXPORTER === "none"
      ? undefined
      : (env.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? under("/v1/metrics"));
  if (tracesUrl === undefined && metricsUrl === undefined) return undefined;
  const { "service.name": named = "baton", ...attributes } = env.OTEL_RESOURCE_ATTRIBUTES;
  return Object.freeze({
    tracesUrl,
    metricsUrl,
    headers: env.OTEL_EXPORTER_OTLP_HEADERS,
    timeoutMs: env.OTEL_EXPORTER_OTLP_TIMEOUT,
    resource: { ...attributes, "service.name": env.OTEL_SERVICE_NAME ?? named },
    sampler: { name: env.OTEL_TRACES_SAMPLER, ratio: env.OTEL_TRACES_SAMPLER_ARG },
    propagates: env.OTEL_PROPAGATORS.includes("tracecontext"),
    capturesContent: env.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT,
    spans: {
      delayMs: env.OTEL_BSP_SCHEDULE_DELAY,
      maxSpans: env.OTEL_BSP_MAX_QUEUE_SIZE,
      maxBatch: env.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
    },
    metricsIntervalMs: env.OTEL_METRIC_EXPORT_INTERVAL,
  });
}
