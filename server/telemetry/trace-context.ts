/** A position in a trace, as the W3C headers `traceparent` and `tracestate` carry it. */
export interface TraceContext {
  /** 32 hex digits. */
  traceId: string;
  /** 16 hex digits. */
  spanId: string;
  sampled: boolean;
  /** Entries of other vendors, passed on unchanged. */
  state?: string | undefined;
  /** Redacts the secrets of the run that this is the context of. Never leaves the process. */
  redact?: ((text: string) => string) | undefined;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_TRACE = "0".repeat(32);
const NO_SPAN = "0".repeat(16);
/** The longest tracestate that every implementation passes on. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** Undefined for headers that are missing or invalid: then the request starts its own trace. */
export function readTraceContext(traceparent: unknown, tracestate?: unknown): TraceContext | undefined {
  if (typeof traceparent !== "string") return undefined;
  const [, version, traceId = NO_TRACE, spanId = NO_SPAN, flags = "", more] =
    TRACEPARENT.exec(traceparent.trim()) ?? [];
  if (version === undefined || version === "ff" || traceId === NO_TRACE || spanId === NO_SPAN)
    return undefined;
  if (version === "00" && more !== undefined) return undefined;
  const sampled = (Number.parseInt(flags, 16) & 1) === 1;
  const state = typeof tracestate === "string" && TRACESTATE.test(tracestate) ? tracestate : undefined;
  return { traceId, spanId, sampled, state };
}

export function traceparentOf({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`;
}

/** Adds the headers of a trace, unless the caller has set one: then theirs count. Names are in lower case. */
export function addTraceHeaders(headers: Record<string, string>, context: TraceContext): void {
  if (headers["traceparent"] !== undefined || headers["tracestate"] !== undefined) return;
  headers["traceparent"] = traceparentOf(context);
  if (context.state !== undefined) headers["tracestate"] = context.state;
}
