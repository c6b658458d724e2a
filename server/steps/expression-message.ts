import type { StepCall } from "../engine/run/step-runner.ts";

/**
 * What the expression process gets and gives. The scope and the result travel as JSON text: nothing but data
 * comes across, and the other process pays for most of it.
 */
export interface ExpressionJob {
  expression: string;
  scope: string;
  /** JSONata's own, softer limit, which leaves the process alive. */
  timeoutMs: number;
}

export type ExpressionReply =
  | { type: "ready" }
  | { type: "result"; json: string }
  | { type: "failed"; message: string; timedOut: boolean };

export type ExpressionScope = StepCall["scope"];
