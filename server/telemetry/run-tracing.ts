import { createHash } from "node:crypto";
import type { RunTrace, RunTracing, TaskTrace, TracedStep, TracedTask } from "../engine/run-tracing.ts";
import { readTraceContext, type TraceContext, traceparentOf } from "./trace-context.ts";
import { newSpanId, newTraceId } from "./tracer.ts";
import type { Tracing } from "./tracing.ts";

/**
 * Spans of tasks and steps. The id of a step's span follows from the span of its task, its path and its attempt, so a
 * process that continues a run knows the ids of spans that another one began: only the span of the task is stored.
 */
export function createRunTracing(tracing: Tracing): RunTracing {
  return {
    accept(replayed) {
      const parent = tracing.active();
      const traceId = parent?.traceId ?? newTraceId();
      // A context of this process has been decided on already.
      const sampled = parent?.sampled ?? tracing.isSampled(traceId, undefined);
      return {
        span: traceparentOf({ traceId, spanId: newSpanId(), sampled }),
        ...(parent === undefined ? {} : { parent: parent.spanId }),
        ...(parent?.state === undefined ? {} : { state: parent.state }),
        ...(replayed === undefined ? {} : { replays: replayed.span }),
      };
    },
    open(task, { rerunAt, isFresh }) {
      const { trace } = task.options ?? {};
      const first = contextOf(task, trace, tracing);
      const context = rerunAt === 0 ? first : { ...first, spanId: derivedId(first.spanId, `${rerunAt}`) };
      const replayed = trace?.replays === undefined ? undefined : readTraceContext(trace.replays);
      const links = [...(rerunAt === 0 ? [] : [first]), ...(replayed === undefined ? [] : [replayed])];
      const startedAt = isFresh ? tracing.now() : Math.max(task.createdAt, rerunAt);
      return createRunTrace(tracing, task, { context, parentSpanId: trace?.parent, links, startedAt });
    },
  };
}

/** A task that was accepted while tracing was off, and one of a separate lane, has a trace that follows from its id. */
function contextOf(task: TracedTask, trace: TaskTrace | undefined, tracing: Tracing): TraceContext {
  const stored = trace === undefined ? undefined : readTraceContext(trace.span, trace.state);
  if (stored !== undefined) return stored;
  const traceId = createHash("sha256").update(task.id).digest("hex").slice(0, 32);
  return { traceId, spanId: derivedId(traceId, "task"), sampled: tracing.isSampled(traceId, undefined) };
}

function derivedId(parentId: string, name: string): string {
  return createHash("sha256").update(`${parentId}:${name}`).digest("hex").slice(0, 16);
}

interface TaskSpan {
  context: TraceContext;
  parentSpanId: string | undefined;
  links: TraceContext[];
  startedAt: number;
}

function createRunTrace(
  tracing: Tracing,
  task: TracedTask,
  { context, parentSpanId, links, startedAt }: TaskSpan,
): RunTrace {
  const attributes = { "baton.task.id": task.id, "baton.workflow.id": task.workflowId };

  function stepIds({ path, prefix, attempt, attemptOf }: Omit<TracedStep, "type" | "since" | "redact">) {
    const parentId = loopSpanId(prefix, attemptOf);
    return { parentId, spanId: stepSpanId(parentId, path, attempt) };
  }

  /** The span around an iteration is that of its loop. */
  function loopSpanId(prefix: string, attemptOf: TracedStep["attemptOf"]): string {
    if (prefix === "") return context.spanId;
    const loopPath = prefix.slice(0, prefix.lastIndexOf("["));
    const outer = loopPath.slice(0, loopPath.lastIndexOf("/") + 1);
    return stepSpanId(loopSpanId(outer, attemptOf), loopPath, attemptOf(loopPath));
  }

  return {
    run: (work) => tracing.run(context, work),
    async step(step, work, outcomeOf) {
      const { parentId, spanId } = stepIds(step);
      const own: TraceContext = { ...context, spanId, redact: step.redact };
      const began = tracing.now();
      const result = await tracing.run(own, work);
      const { kind, code, startedAt: recordedStart } = outcomeOf(result);
      if (kind === "waiting" || !context.sampled) return result;
      tracing.record({
        context: own,
        parentSpanId: parentId,
        name: `step ${step.type}`,
        kind: "internal",
        // A step that has waited began before this execution.
        startedAt: recordedStart < Math.floor(began) ? Math.max(recordedStart, step.since) : began,
        endedAt: tracing.now(),
        attributes: {
          ...attributes,
          "baton.step.path": step.path,
          "baton.step.type": step.type,
          "baton.step.attempt": step.attempt,
        },
        links:
          step.attempt > 1
            ? [{ ...context, spanId: stepSpanId(parentId, step.path, step.attempt - 1) }]
            : undefined,
        error: code,
      });
      return result;
    },
    end(status, code) {
      tracing.record({
        context,
        parentSpanId,
        name: `run ${task.trigger}`,
        kind: "internal",
        startedAt,
        endedAt: tracing.now(),
        attributes: {
          ...attributes,
          "baton.workflow.version": task.workflowVersion,
          "baton.task.trigger": task.trigger,
          "baton.task.status": status,
        },
        links,
        error: status === "failed" ? (code ?? "failed") : undefined,
      });
    },
  };
}

function stepSpanId(parentId: string, path: string, attempt: number): string {
  return derivedId(parentId, `${path}#${attempt}`);
}
