import type { StepProgress } from "./run-progress.ts";
import { isWaitType, type Timed } from "./timeline.ts";

/** What the time scale of a run must show of a step. */
export function timedOf({ type, status, startedAt, endedAt }: StepProgress): Timed {
  return {
    startedAt: startedAt === null ? null : Date.parse(startedAt),
    endedAt: endedAt === null ? null : Date.parse(endedAt),
    isWaiting: status === "waiting" || status === "waiting_approval",
    isWait: isWaitType(type),
  };
}
