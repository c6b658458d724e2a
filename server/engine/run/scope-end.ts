import type { StepError } from "../tasks/task.ts";

/** What the run of a graph came to. */
export type ScopeEnd =
  | { kind: "done" }
  | { kind: "failed"; error: StepError; path: string }
  | { kind: "waiting"; due: number | null; forApproval: boolean };
