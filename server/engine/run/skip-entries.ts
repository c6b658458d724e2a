import { pathUnder } from "../../../contract/step-path.ts";
import type { CompiledStep } from "../graph/compiled-graph.ts";
import type { Decision } from "../graph/progress.ts";
import { type StepEntry, UNNUMBERED } from "../journal/journal-entry.ts";
import type { Run, RunScope } from "./run.ts";

/** The journal entries of steps that a decision skips. */
export function skipEntries(
  run: Run,
  scope: RunScope,
  { skipped, lost }: Pick<Decision, "skipped" | "lost">,
): StepEntry[] {
  if (skipped.length === 0) return [];
  const at = run.deps.clock.now();
  return skipped.map((id) => ({
    seq: UNNUMBERED,
    kind: "step",
    path: pathUnder(scope.prefix, id),
    type: scope.graph.steps.get(id)!.type,
    status: "skipped",
    attempt: 0,
    final: false,
    input: null,
    output: null,
    outputRef: null,
    error: null,
    extra: skipReason(scope.graph.steps.get(id)!, lost),
    startedAt: null,
    at,
  }));
}

function skipReason({ id, disabled }: CompiledStep, lost: Decision["lost"]): StepEntry["extra"] {
  if (lost?.includes(id) === true) return { reason: "other_branch_first" };
  return disabled ? { reason: "disabled" } : null;
}
