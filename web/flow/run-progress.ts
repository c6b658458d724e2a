import type { LogLine } from "../../contract/step-log.ts";
import { isInLoop } from "../../contract/step-path.ts";
import type { LoopStep } from "../../contract/tasks.ts";
import type { StepStatus, Task, TaskStatus } from "../api/types.ts";

/** The state of one step, as the canvas and the timeline show it. */
export interface StepProgress {
  stepId: string;
  type: string;
  status: StepStatus;
  attempt: number;
  startedAt: string | null;
  endedAt: string | null;
  /** When a waiting step continues by itself. */
  dueAt: string | null;
  error: { code: string; message: string } | null;
  /** Log lines of the attempt in progress, or of the last one. */
  logs?: readonly LogLine[] | undefined;
}

/** The progress of a step in an item of a loop. */
export function progressOf(step: LoopStep): StepProgress {
  return {
    stepId: step.stepId,
    type: step.type,
    status: step.status,
    attempt: step.attempts,
    startedAt: step.startedAt,
    endedAt: step.completedAt,
    dueAt: step.dueAt ?? null,
    error: step.error,
  };
}

export interface RunProgress {
  status: TaskStatus;
  lastSeq: number;
  steps: ReadonlyMap<string, StepProgress>;
}

/** A parsed event of the stream. `step_started` is not stored, so it has no `seq`. */
export interface RunEvent {
  kind?: string;
  seq?: number;
  stepId?: string;
  type?: string;
  status?: string;
  attempt?: number;
  error?: { code: string; message: string } | undefined;
  startedAt?: string | undefined;
  dueAt?: string | undefined;
  at?: string | undefined;
  /** With `message`: a log line of the running step, which is not stored either. */
  level?: LogLine["level"];
  message?: string;
}

export function initialProgress(status: TaskStatus): RunProgress {
  return { status, lastSeq: 0, steps: new Map() };
}

/** Progress from the results of a run, which contain the events up to `lastSeq`. */
export function progressOfTask(task: Task, lastSeq = 0): RunProgress {
  const steps = new Map(
    task.stepResults.map((result): [string, StepProgress] => [
      result.stepId,
      { ...progressOf(result), logs: result.logs },
    ]),
  );
  return { status: task.status, lastSeq, steps };
}

/** The stream of a run that was continued still shows its earlier end, until its first event arrives. */
export function newestProgress(ofTask: RunProgress, streamed: RunProgress | undefined): RunProgress {
  return streamed !== undefined && streamed.lastSeq >= ofTask.lastSeq ? streamed : ofTask;
}

function withoutFailures(steps: RunProgress["steps"]): RunProgress["steps"] {
  return new Map([...steps].filter(([, step]) => step.status === "completed"));
}

/** Applies one event. Events up to `lastSeq` are ignored, so a reconnected stream may repeat them. */
export function applyEvent(progress: RunProgress, event: RunEvent, now: string): RunProgress {
  if (event.seq !== undefined && event.seq <= progress.lastSeq) return progress;
  const lastSeq = event.seq ?? progress.lastSeq;
  if (event.kind === "rerun") return { status: "running", lastSeq, steps: withoutFailures(progress.steps) };
  // A loop reports its iterations in its own output; 10,000 rows of them would hide the other steps.
  if (event.stepId !== undefined && isInLoop(event.stepId)) return { ...progress, lastSeq };
  if (event.stepId === undefined) {
    return {
      ...progress,
      lastSeq,
      ...(event.status === undefined ? {} : { status: event.status as TaskStatus }),
    };
  }
  const before = progress.steps.get(event.stepId);
  if (event.message !== undefined && event.level !== undefined) {
    if (before === undefined) return progress;
    const line = { at: event.at ?? now, level: event.level, message: event.message };
    const steps = new Map(progress.steps).set(event.stepId, {
      ...before,
      logs: [...(before.logs ?? []), line],
    });
    return { ...progress, steps };
  }
  const ended = event.kind === "step";
  const step: StepProgress = {
    stepId: event.stepId,
    type: event.type ?? before?.type ?? "",
    status: (event.status ?? "running") as StepStatus,
    attempt: event.attempt ?? before?.attempt ?? 1,
    startedAt: before?.startedAt ?? event.startedAt ?? (event.seq === undefined ? (event.at ?? now) : null),
    endedAt: ended ? (event.at ?? now) : null,
    dueAt: event.dueAt ?? null,
    error: event.error ?? null,
    // A step that starts begins an attempt with its own log.
    logs: event.seq === undefined ? undefined : before?.logs,
  };
  const steps = new Map(progress.steps).set(event.stepId, step);
  return { status: statusOf(steps), lastSeq, steps };
}

/** The status of an unfinished run: a pending approval first, then a running step, then a waiting one. */
function statusOf(steps: RunProgress["steps"]): TaskStatus {
  const present = new Set([...steps.values()].map((step) => step.status));
  if (present.has("waiting_approval")) return "waiting_approval";
  return present.has("waiting") && !present.has("running") ? "waiting" : "running";
}
