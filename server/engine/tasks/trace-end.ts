import { fold, WHOLE_TASK } from "../journal/fold.ts";
import type { RunTracing } from "../run-tracing.ts";
import type { EngineStore } from "../store.ts";
import type { FinalStatus, StepError } from "./task.ts";

export type TraceEnd = (taskId: string, status: FinalStatus, error?: StepError | null) => void;

/** Records the span of a task that ended outside its run: cancelled, or failed after crashes. Does not wait. */
export function createTraceEnd(
  store: Pick<EngineStore, "state" | "heads">,
  tracing: RunTracing,
  onError: (error: unknown, what: string) => void,
): TraceEnd {
  async function end(...[taskId, status, error]: Parameters<TraceEnd>): Promise<void> {
    const task = await store.state(taskId);
    if (task === undefined) return;
    const memory = fold(await store.heads(taskId));
    const trace = tracing.open(task, { rerunAt: memory.get(WHOLE_TASK)?.since ?? 0, isFresh: false });
    trace.end(status, error?.code);
  }
  return (...given) => void end(...given).catch((error: unknown) => onError(error, "recording a span"));
}
