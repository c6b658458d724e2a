import { AppError } from "../lib/errors.ts";
import { readTraceContext } from "../telemetry/trace-context.ts";
import { inSpan, type Tracing } from "../telemetry/tracing.ts";
import type { Call, Handler } from "./call.ts";
import type { Result } from "./protocol.ts";

/** Answers a request in a span. Clients send the trace as a header, or in `_meta`, which counts first. */
export function traceCall(tracing: Tracing, call: Call, dispatch: Handler): Promise<Result> {
  const { method, params } = call;
  const { traceparent, tracestate } = (params["_meta"] ?? {}) as Record<string, unknown>;
  const tool = method === "tools/call" && typeof params["name"] === "string" ? params["name"] : undefined;
  // Methods are a fixed list; a client may send any text.
  const name = /^[a-z]+(\/[a-z_]+)*$/i.test(method) ? method.slice(0, 50) : "unknown";
  const span = tracing.start(name, {
    kind: "server",
    parent: tracing.propagates ? readTraceContext(traceparent, tracestate) : undefined,
    attributes: { "mcp.method.name": name, "gen_ai.tool.name": tool?.slice(0, 100) },
  });
  return inSpan(
    tracing,
    span,
    () => dispatch(call),
    (error) => (error instanceof AppError ? error.code : "rpc_error"),
  );
}
