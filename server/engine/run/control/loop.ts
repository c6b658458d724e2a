import type { JsonValue } from "../../../../contract/placeholders/json-value.ts";
import { serializeInTurns } from "../../../lib/serialize-json.ts";
import { isPermanentLimit } from "../../../limits/limit-reached.ts";
import { UNNUMBERED } from "../../journal/journal-entry.ts";
import { loadValue, storeValue } from "../../journal/outputs.ts";
import type { StepError } from "../../tasks/task.ts";
import { LARGE_VALUE } from "../large-values.ts";
import { failed, type Outcome } from "../outcome.ts";
import type { PoolEnd } from "../pool.ts";
import type { ControlCall, Run } from "../run.ts";
import { abandon, timedOut } from "./deadline.ts";

/** The loop has taken longer than its time limit: the tasks and approvals that its iterations wait for end with it. */
export async function failWithTimeout(run: Run, path: string): Promise<Outcome> {
  return { ...timedOut(), closedWaits: await abandon(run, path) };
}

/** The failure of an iteration as that of its loop. A retry of the loop repeats the iteration, unless it cannot succeed. */
export function failedIteration(label: string, { code, message, details }: StepError): Outcome {
  const outcome = failed(code, `${label}: ${message}`);
  const error = details === undefined ? outcome.failure.error : { ...outcome.failure.error, details };
  const permanent = code === "rejected" || code === "output_too_large" || isPermanentLimit(details?.limit);
  return { ...outcome, failure: { ...outcome.failure, error, permanent } };
}

/** Wakes the loop at its deadline, however long its iterations wait. */
export function waitingUntil(deadline: number | null, end: Extract<PoolEnd, { kind: "waiting" }>): Outcome {
  if (deadline === null) return end;
  return {
    ...end,
    due: end.due === null ? deadline : Math.min(end.due, deadline),
    begin: { status: end.forApproval ? "waiting_approval" : "waiting", due: deadline },
  };
}

/** Records the list once: the values it was rendered from, a variable or the clock, may differ after a restart. */
export async function fixItems(
  { run, step, path, memory, startedAt }: ControlCall,
  items: JsonValue[] | undefined,
): Promise<JsonValue[] | undefined> {
  if (memory.itemsFixed) {
    const stored = await run.deps.store.items(run.task.id, path);
    return stored === undefined ? undefined : ((await loadValue(stored, run.deps.blobs)) as JsonValue[]);
  }
  if (items === undefined) return undefined;
  const now = run.deps.clock.now();
  const redacted = run.redactor === undefined ? items : await run.redactor.valueInTurns(items);
  if (run.deps.budgets.measure(items, LARGE_VALUE) > LARGE_VALUE) await run.deps.largeValues.turn();
  const stored = await storeValue(run.task.id, await serializeInTurns(redacted), run.deps.blobs);
  await run.record([
    {
      seq: UNNUMBERED,
      kind: "items",
      path,
      type: step.type,
      status: "running",
      output: stored.output,
      outputRef: stored.outputRef,
      startedAt,
      at: now,
    },
  ]);
  return redacted;
}
