import { setImmediate as nextTurn } from "node:timers/promises";
import {
  isInLoop,
  iterationOf,
  iterationPath,
  iterationPrefix,
  parseStepPath,
  pathUnder,
} from "../../../contract/step-path.ts";
import { traitsOf } from "../../../contract/steps/catalogue.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { LoopItemStatus } from "../../../contract/tasks.ts";
import type { CompiledGraph } from "../graph/compiled-graph.ts";
import { handlesFailure } from "../graph/progress.ts";
import type { EntryHead } from "../journal/journal-entry.ts";
import { linkToOutput, sizeOfRef } from "../journal/outputs.ts";
import { stepsAt } from "../run/rerun.ts";
import type { RunningStep } from "../run/step-log.ts";
import type { EngineStore } from "../store.ts";
import type { StepError, StepStatus } from "./task.ts";

/** A step within an iteration, without its input and output. */
export interface LoopStep {
  stepId: string;
  type: string;
  status: StepStatus;
  attempts: number;
  error: StepError | null;
  startedAt: number | null;
  completedAt: number | null;
  dueAt: number | null;
  /** Its output is part of the output of the iteration. */
  final: boolean;
}

export interface LoopItem {
  index: number;
  status: LoopItemStatus;
  steps: LoopStep[];
}

/** Read between two turns of the event loop: 2,000 entries take about 5 ms. */
const ENTRIES_PER_READ = 2000;

/** The steps in the iterations of one loop by index, from the journal. Nested loops count as one step. */
export async function readLoopSteps(
  loopPath: string,
  read: (after: number, limit: number) => Promise<EntryHead[]>,
): Promise<Map<number, Map<string, LoopStep>>> {
  const items = new Map<number, Map<string, LoopStep>>();
  /** Their iterations are read from their own path. */
  const nestedLoops = new Set<string>();
  for (let after = 0; ;) {
    const entries = await read(after, ENTRIES_PER_READ);
    for (const entry of entries) apply(entry);
    if (entries.length < ENTRIES_PER_READ) return items;
    after = entries.at(-1)!.seq;
    await nextTurn();
  }

  function apply(entry: EntryHead): void {
    if (entry.kind === "status") return;
    if (entry.kind === "rerun") {
      if (entry.restarted?.includes(loopPath) === true) items.clear();
      for (const path of entry.cleared) {
        const { index } = iterationOf(path, loopPath) ?? {};
        if (index !== undefined) items.get(index)?.delete(path);
      }
      return;
    }
    const iteration = iterationOf(entry.path, loopPath);
    if (iteration === undefined) return;
    if (traitsOf(entry.type).loop === true) nestedLoops.add(entry.path);
    if (isInLoop(entry.path, (path) => nestedLoops.has(path))) return;
    const isCheck = iteration.innerPath === undefined && traitsOf(entry.type).branching === "outcome";
    // The comparison of a while did not hold: there is no such iteration.
    if (isCheck && "output" in entry && entry.output !== "true") return;
    let steps = items.get(iteration.index);
    if (steps === undefined) items.set(iteration.index, (steps = new Map()));
    if (isCheck) return;
    const before = steps.get(entry.path);
    steps.set(entry.path, {
      stepId: entry.path,
      type: entry.type,
      status: entry.status,
      attempts: "attempt" in entry ? entry.attempt : (before?.attempts ?? 0),
      error: "error" in entry ? entry.error : null,
      startedAt: before?.startedAt ?? entry.startedAt,
      completedAt: entry.kind === "step" ? entry.at : null,
      dueAt: "due" in entry ? entry.due : null,
      final: entry.kind === "step" && entry.final,
    });
  }
}

/** The output of an iteration of a while, which is the item of the next one. A large part is only named. */
export async function iterationOutput(
  taskId: string,
  { steps }: LoopItem,
  store: Pick<EngineStore, "outputs">,
): Promise<JsonValue> {
  const paths = steps.filter(({ final }) => final).map(({ stepId }) => stepId);
  const outputs: Record<string, JsonValue> = {};
  for (const { path, output, outputRef } of await store.outputs(taskId, paths))
    outputs[parseStepPath(path).stepId ?? path] =
      outputRef === null
        ? (JSON.parse(output ?? "null") as JsonValue)
        : linkToOutput(taskId, path, sizeOfRef(outputRef) ?? 0);
  const values = Object.values(outputs);
  return values.length === 1 ? values[0]! : outputs;
}

/** Names the status of each of `count` iterations. `running` holds the paths of the steps in execution. */
export function loopItemsOf(
  loopPath: string,
  count: number,
  steps: ReadonlyMap<number, ReadonlyMap<string, LoopStep>>,
  graph: CompiledGraph | undefined,
  running: ReadonlyMap<string, RunningStep>,
): LoopItem[] {
  const loop = graph === undefined ? undefined : stepsAt(graph, loopPath).at(-1);
  return Array.from({ length: count }, (_, index) => {
    const recorded = new Map(steps.get(index));
    for (const path of pathsOf(index)) {
      const live = running.get(path);
      const before = recorded.get(path);
      if (live !== undefined && before?.completedAt == null)
        recorded.set(path, {
          ...(before ?? { stepId: path, attempts: 0, error: null, completedAt: null, final: false }),
          type: live.type,
          startedAt: before?.startedAt ?? live.startedAt,
          dueAt: null,
          status: "running",
        });
    }
    return { index, status: statusOf(index, recorded), steps: [...recorded.values()] };
  });

  function races(path: string): boolean {
    return graph !== undefined && (stepsAt(graph, path).at(-1)?.racesTo.length ?? 0) > 0;
  }

  function pathsOf(index: number): string[] {
    const inner = loop?.inner?.steps.keys();
    return inner === undefined
      ? [iterationPath(loopPath, index)]
      : [...inner].map((id) => pathUnder(iterationPrefix(loopPath, index), id));
  }

  function statusOf(index: number, recorded: ReadonlyMap<string, LoopStep>): LoopItemStatus {
    const all = [...recorded.values()];
    const unhandled = all.some(({ status, stepId }) => {
      const step = graph === undefined ? undefined : stepsAt(graph, stepId).at(-1);
      return status === "failed" && (step === undefined || step === loop || !handlesFailure(step));
    });
    if (unhandled) return "failed";
    for (const status of ["waiting_approval", "running", "waiting"] as const)
      if (all.some((step) => step.status === status)) return status;
    if (all.length === 0) return "pending";
    if (pathsOf(index).every((path) => recorded.get(path)?.completedAt != null)) return "completed";
    // No branch is left that could succeed.
    return all.some(({ status, stepId }) => status === "failed" && races(stepId)) ? "failed" : "running";
  }
}
