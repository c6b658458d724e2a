import { AppError } from "../lib/errors.ts";
import type { TraceContext } from "./trace-context.ts";

export type AttributeValue = string | number | boolean;
export type Attributes = Record<string, AttributeValue | undefined>;

export type SpanKind = "internal" | "server" | "client";

/** A span that has not ended. Nothing of it is recorded when its trace is not sampled. */
export interface Span {
  readonly context: TraceContext;
  set(attributes: Attributes): void;
  /** `error` is a code, never a message: messages may quote what a server or a user sent. */
  end(error?: string): void;
}

export interface SpanOptions {
  kind?: SpanKind;
  /** In place of the active context; null begins a new trace. */
  parent?: TraceContext | null | undefined;
  attributes?: Attributes;
}

/** A span whose times and ids are known when it has ended. Times are in milliseconds since 1970, with fractions. */
export interface EndedSpan {
  context: TraceContext;
  parentSpanId?: string | undefined;
  name: string;
  kind: SpanKind;
  startedAt: number;
  endedAt: number;
  attributes: Attributes;
  links?: readonly TraceContext[] | undefined;
  error?: string | undefined;
}

/**
 * Tracing of this process. It is undefined while tracing is off, and callers use `tracing?.…`, which evaluates no argument
 * then: off costs one comparison.
 */
export interface Tracing {
  /** The context of the code that runs now. */
  active(): TraceContext | undefined;
  /** Runs `work`, and everything it awaits, in a context. */
  run<T>(context: TraceContext, work: () => T): T;
  start(name: string, options?: SpanOptions): Span;
  /** Whether a new trace, or one that another service began, is recorded. */
  isSampled(traceId: string, parent: TraceContext | undefined): boolean;
  /** The time of spans, with fractions of a millisecond. */
  now(): number;
  /** Records a span that has ended, if its trace is sampled. */
  record(span: EndedSpan): void;
  /** Contexts are sent to other services and read from requests. */
  propagates: boolean;
}

/** Runs `work` in a span that ends with it; `codeOf` names the error that it throws. */
export async function inSpan<T>(
  tracing: Tracing,
  span: Span,
  work: () => Promise<T>,
  codeOf: (error: unknown) => string,
): Promise<T> {
  try {
    const result = await tracing.run(span.context, work);
    span.end();
    return result;
  } catch (error) {
    span.end(codeOf(error));
    throw error;
  }
}

export interface ClientCall {
  name: string;
  attributes: Attributes;
  /** Recorded for an error without a code of ours. */
  failedCode: string;
}

/** Runs `work` in a span of a call to another server, or without one if tracing is off. */
export function inClientSpan<T>(
  tracing: Tracing | undefined,
  { name, attributes, failedCode }: ClientCall,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === undefined) return work();
  const span = tracing.start(name, { kind: "client", attributes });
  return inSpan(tracing, span, work, (error) => (error instanceof AppError ? error.code : failedCode));
}
