import type { EndedSpan, SpanKind } from "../tracing.ts";
import { keyValues, nanoseconds, type OtlpSource, resourceOf, scopeOf } from "./otlp-values.ts";

const KINDS: Record<SpanKind, number> = { internal: 1, server: 2, client: 3 };
const STATUS_ERROR = 2;
const SAMPLED = 1;

/** The body of `POST /v1/traces`. */
export function tracesMessage(source: OtlpSource, spans: readonly EndedSpan[]): object {
  return {
    resourceSpans: [
      { resource: resourceOf(source), scopeSpans: [{ scope: scopeOf(source), spans: spans.map(toOtlp) }] },
    ],
  };
}

function toOtlp(span: EndedSpan): object {
  const { context, parentSpanId, name, kind, startedAt, endedAt, attributes, links = [], error } = span;
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(context.state === undefined ? {} : { traceState: context.state }),
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    flags: SAMPLED,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(Math.max(startedAt, endedAt)),
    attributes: keyValues(error === undefined ? attributes : { ...attributes, "error.type": error }),
    links: links.map(({ traceId, spanId, state }) => ({
      traceId,
      spanId,
      ...(state === undefined ? {} : { traceState: state }),
    })),
    status: error === undefined ? {} : { code: STATUS_ERROR },
  };
}
