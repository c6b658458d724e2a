import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { pathUnder } from "../../../contract/step-path.ts";
import { type Ending, handlesFailure } from "../graph/progress.ts";
import type { StepError } from "../tasks/task.ts";
import type { Run, RunScope } from "./run.ts";

export interface ScopeFailure {
  error: StepError;
  path: string;
}

/** Replays the endings in the journal. Steps that are ready and have not ended are where the run continues. */
export function restore(
  run: Run,
  scope: RunScope,
): { ready: string[]; skipped: string[]; lost: string[]; failed?: ScopeFailure } {
  const begin = scope.progress.begin();
  const { lost = [] } = begin;
  const ready = new Set(begin.ready);
  const skipped = begin.skipped.filter(
    (id) => run.memory.get(pathUnder(scope.prefix, id))?.ended === undefined,
  );
  for (const step of scope.graph.steps.values()) {
    const path = pathUnder(scope.prefix, step.id);
    const ended = run.memory.get(path)?.ended;
    // Skips are derived from the other endings: after a rerun on an edited graph a skipped step may be reachable.
    if (ended === undefined || ended.status === "skipped" || scope.progress.isSettled(step.id)) continue;
    if (ended.status === "failed" && !handlesFailure(step)) {
      const error = ended.error ?? { code: "step_failed", message: "" };
      return { ready: [], skipped, lost, failed: { error, path } };
    }
    const ending: Ending =
      ended.status === "completed"
        ? {
            status: "completed",
            output: ended.output === null ? null : (JSON.parse(ended.output) as JsonValue),
          }
        : { status: ended.status };
    const decision = scope.progress.settle(step.id, ending);
    if (decision.failedJoin !== undefined)
      return { ready: [], skipped, lost, failed: branchFailure(run, scope, decision.failedJoin) };
    ended.final = decision.final;
    for (const id of decision.ready) ready.add(id);
  }
  dropReadOutputs(
    run,
    scope,
    [...scope.graph.steps.keys()].filter((id) => scope.progress.isSettled(id)),
  );
  return { ready: [...ready].filter((id) => !scope.progress.isSettled(id)), skipped, lost };
}

/** No branch has succeeded. The first failed step in the order of the graph is the cause, whichever failed last. */
export function branchFailure(run: Run, scope: RunScope, joinId: string): ScopeFailure {
  for (const step of scope.graph.steps.values()) {
    const path = pathUnder(scope.prefix, step.id);
    const ended = run.memory.get(path)?.ended;
    if (step.racesTo.includes(joinId) && ended?.status === "failed" && ended.error !== null)
      return { error: ended.error, path };
  }
  return { error: { code: "step_failed", message: "" }, path: pathUnder(scope.prefix, joinId) };
}

/** Drops an output when its last reader has ended, so that memory does not grow with the number of ended steps. */
export function dropReadOutputs(run: Run, scope: RunScope, endedIds: readonly string[]): void {
  for (const endedId of endedIds) {
    for (const id of [endedId, ...scope.graph.steps.get(endedId)!.refersTo]) {
      if (!scope.graph.steps.has(id)) continue;
      const left = (scope.openReaders.get(id) ?? 0) - (id === endedId ? 0 : 1);
      scope.openReaders.set(id, left);
      const path = pathUnder(scope.prefix, id);
      const { ended } = run.memoryOf(path);
      if (left <= 0 && ended !== undefined && !ended.final) run.outputs.forget(path);
    }
  }
}
