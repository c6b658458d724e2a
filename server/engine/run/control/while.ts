import { iterationPath, iterationPrefix, pathUnder } from "../../../../contract/step-path.ts";
import type { JsonValue } from "../../../../contract/placeholders/json-value.ts";
import { DEFAULT_ITERATIONS } from "../../../../contract/steps/while.ts";
import type { CompiledGraph } from "../../graph/compiled-graph.ts";
import { createScope } from "../create-run.ts";
import { failed, type Outcome } from "../outcome.ts";
import { withinBudgets } from "../output-budget.ts";
import type { ControlCall, ControlStep, LoopProgress, Run, RunScope } from "../run.ts";
import { settleStep } from "../settle-step.ts";
import { prepareFields } from "../step-fields.ts";
import { deadlineOf, stepDeadline } from "./deadline.ts";
import { failedIteration, failWithTimeout, fixItems, waitingUntil } from "./loop.ts";

/**
 * Repeats its steps while a comparison holds. Each check is recorded under the path of its iteration (`pages[3]`), so that
 * a restart or a rerun neither checks again nor repeats a completed iteration.
 */
export const whileLoop: ControlStep = async (call) => {
  const { run, scope, path, step, memory, fields } = call;
  const now = run.deps.clock.now();
  const deadline = deadlineOf(step, memory, now);
  if (deadline !== null && deadline <= now) return failWithTimeout(run, path);
  const maxIterations = Number(fields["maxIterations"] ?? DEFAULT_ITERATIONS);
  const loop = run.loops.get(path) ?? (await beginLoop(call));
  const limit = stepDeadline(scope.stop, deadline === null ? undefined : deadline - now);
  let isParked = false;
  try {
    for (;;) {
      const index = loop.next;
      const iteration = createScope(step.inner!, limit, {
        prefix: iterationPrefix(path, index),
        parent: scope,
        item: loop.last ?? null,
        index,
      });
      const checked = await check(call, iteration);
      if (typeof checked !== "boolean") return checked;
      if (!checked || (index >= maxIterations && fields["onLimit"] === "end")) break;
      if (index >= maxIterations) return tooManyIterations(maxIterations);
      const end = await call.runIteration(iteration);
      if (limit.aborted) return await failWithTimeout(run, path);
      if (end.kind === "waiting") {
        isParked = true;
        return waitingUntil(deadline, end);
      }
      if (end.kind === "failed") return failedIteration(`Iteration ${index + 1}`, end.error);
      loop.last = await iterationOutput(run, iteration.prefix, step.inner!);
      loop.next = index + 1;
      for (const id of step.inner!.steps.keys()) run.outputs.forget(pathUnder(iteration.prefix, id));
    }
  } finally {
    limit.clear();
    if (!isParked) run.loops.delete(path);
  }
  return { kind: "completed", output: { iterations: loop.next, last: loop.last ?? null } };
};

function tooManyIterations(maxIterations: number): Outcome {
  return failed(
    "iteration_limit",
    `The comparison still holds after ${maxIterations} iterations. Raise maxIterations, or let the loop end there with onLimit.`,
  );
}

/** Continues at the last iteration that was checked: the check comes after the end of the iteration before. */
async function beginLoop(call: ControlCall): Promise<LoopProgress> {
  const { run, path, step, fields } = call;
  const items = (await fixItems(call, [fields["initial"] ?? null])) ?? [null];
  let next = 0;
  while (run.memory.get(iterationPath(path, next + 1))?.ended !== undefined) next += 1;
  const last =
    next === 0 ? items[0]! : await iterationOutput(run, iterationPrefix(path, next - 1), step.inner!);
  const loop: LoopProgress = { items, open: new Set(), next, last };
  run.loops.set(path, loop);
  return loop;
}

/** Compares in the scope of the iteration; a failure is that of the loop. */
async function check(
  { run, step, path, startedAt, runEffect }: ControlCall,
  iteration: RunScope,
): Promise<boolean | Outcome> {
  const checkPath = iterationPath(path, iteration.index!);
  const { ended } = run.memoryOf(checkPath);
  if (ended !== undefined) return ended.output === "true";
  const { maxJournalEntries, journalTooLong } = run.deps.budgets;
  const entries = run.lastSeq() + step.inner!.steps.size + 1;
  if (entries > maxJournalEntries) throw journalTooLong(entries);
  const { type, backoffMultiplier } = step.check!;
  const prepared = await prepareFields(run, iteration, step.check!);
  const { output } = await runEffect(type, prepared.fields, `${run.task.id}:${checkPath}`);
  const { outcome, outputSize } = withinBudgets(run, { kind: "completed", output }, prepared.size);
  if (outcome.kind !== "completed") return outcome;
  await settleStep(run, checkPath, { type, pure: true, maxRetries: 0, backoffMultiplier }, outcome, {
    input: prepared.fields,
    inputSize: prepared.size,
    outputSize,
    startedAt,
    settle: () => Promise.resolve({ final: false, after: [] }),
  });
  return output === true;
}

/** The output of the only final step of the iteration, else those of all its final steps by id. */
async function iterationOutput(run: Run, prefix: string, inner: CompiledGraph): Promise<JsonValue> {
  const outputs: Record<string, JsonValue> = {};
  for (const id of inner.steps.keys()) {
    const path = pathUnder(prefix, id);
    if (run.memory.get(path)?.ended?.final === true) outputs[id] = await run.outputs.get(path);
  }
  const ids = Object.keys(outputs);
  return ids.length === 1 ? outputs[ids[0]!]! : outputs;
}
