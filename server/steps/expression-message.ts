import type { ErrorCode } from "../../contract/errors.ts";
import type { StepCall } from "../engine/run/step-runner.ts";

/**
 * Messages to and from the expression process. Scope and result are JSON text: only data crosses the boundary, and the
 * other process does most of the serialization.
 */
export interface ExpressionJob {
  type: "expression";
  expression: string;
  scope: string;
  /** JSONata's own time limit, which leaves the process alive. */
  timeoutMs: number;
}

/** Looks for a match of an RE2 pattern. */
export interface PatternJob {
  type: "pattern";
  pattern: string;
  text: string;
}

export type ProcessJob = ExpressionJob | PatternJob;

export type ExpressionReply =
  | { type: "ready" }
  | { type: "result"; json: string }
  | { type: "found"; isFound: boolean }
  | { type: "failed"; message: string; timedOut: boolean }
  /** A failure that names its own code. */
  | { type: "refused"; code: ErrorCode; message: string };

export type ExpressionScope = StepCall["scope"];
