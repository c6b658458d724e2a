import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import type { Sampler } from "./sampler.ts";
import type { TraceContext } from "./trace-context.ts";
import type { EndedSpan, Span, Tracing } from "./tracing.ts";

export interface TracerOptions {
  isSampled: Sampler;
  /** Receives every ended span of a sampled trace. Must not wait or throw. */
  onEnd(span: EndedSpan): void;
  propagates: boolean;
}

/** The context of the running code is kept by Node, so that no function has to pass it on. */
export function createTracer({ isSampled, onEnd, propagates }: TracerOptions): Tracing {
  const contexts = new AsyncLocalStorage<TraceContext>();

  function record(span: EndedSpan): void {
    if (span.context.sampled) onEnd(span);
  }

  return {
    propagates,
    isSampled,
    active: () => contexts.getStore(),
    run: (context, work) => contexts.run(context, work),
    now,
    record,
    start(name, { kind = "internal", parent: given, attributes = {} } = {}): Span {
      const parent = given === null ? undefined : (given ?? contexts.getStore());
      const traceId = parent?.traceId ?? newTraceId();
      const context: TraceContext = {
        traceId,
        spanId: newSpanId(),
        // Decided where the trace enters this process: a child has the decision of its parent.
        sampled: given === undefined && parent !== undefined ? parent.sampled : isSampled(traceId, parent),
        state: parent?.state,
        redact: parent?.redact,
      };
      const startedAt = now();
      const all = { ...attributes };
      let hasEnded = false;
      return {
        context,
        set: (more) => void Object.assign(all, more),
        end(error) {
          if (hasEnded) return;
          hasEnded = true;
          record({
            context,
            parentSpanId: parent?.spanId,
            name,
            kind,
            startedAt,
            endedAt: now(),
            attributes: all,
            error,
          });
        },
      };
    },
  };
}

export const newTraceId = (): string => randomBytes(16).toString("hex");
export const newSpanId = (): string => randomBytes(8).toString("hex");

function now(): number {
  return performance.timeOrigin + performance.now();
}
