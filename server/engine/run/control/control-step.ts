import type { JsonValue } from "../../../../contract/placeholders/json-value.ts";
import type { CompiledStep } from "../../graph/compiled-graph.ts";
import type { StepMemory } from "../../journal/fold.ts";
import type { Outcome } from "../outcome.ts";
import type { Run, RunScope } from "../run.ts";
import type { ScopeEnd } from "../scope-end.ts";

export interface ControlCall {
  run: Run;
  scope: RunScope;
  step: CompiledStep;
  path: string;
  memory: StepMemory;
  fields: Record<string, JsonValue>;
  /** When the step began, which is what all its entries say. */
  startedAt: number;
  /** Runs a graph inside this step. */
  runRound: RunRound;
}

export type RunRound = (round: RunScope) => Promise<ScopeEnd>;

/** A step that steers the run itself in place of touching the world: it may wait, and is asked again later. */
export type ControlStep = (call: ControlCall) => Promise<Outcome>;
