import type { StepCall } from "../engine/run/step-runner.ts";

/**
 * Messages to and from the expression process. Scope and result are JSON text: only data crosses the boundary, and the
 * other process does most of the serialization.
 */
export interface ExpressionJob {
  expression: string;
  scope: string;
  /** JSONata's own time limit, which leaves the process alive. */
  timeoutMs: number;
}

export type ExpressionReply =
  | { type: "ready" }
  | { type: "result"; json: string }
  | { type: "failed"; message: string; timedOut: boolean };

export type ExpressionScope = StepCall["scope"];
