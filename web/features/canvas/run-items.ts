import { createContext, useCallback, useContext, useMemo, useState } from "react";
import type { LoopStep } from "../../../contract/tasks.ts";
import { progressOf, type StepProgress } from "../../flow/run-progress.ts";

type Progress = ReadonlyMap<string, StepProgress>;

/** The item of a loop that the canvas shows. */
interface ShownItem {
  index: number;
  /** The step path of the loop, such as `each` or `each[2]/deep`. */
  path: string;
  steps: readonly LoopStep[];
}

/** The run whose loops can be paged. */
export interface RunItems {
  taskId: string;
  isLive: boolean;
  shown: ReadonlyMap<string, ShownItem>;
  show: (loopId: string, item: ShownItem) => void;
}

export const RunItemsContext = createContext<RunItems | undefined>(undefined);

export function useRunItems(): RunItems | undefined {
  return useContext(RunItemsContext);
}

/** Adds the state of the steps inside loops, for the item of each loop that is shown. */
export function useItemProgress(
  progress: Progress,
  taskId: string | undefined,
  isLive: boolean,
): { progress: Progress; items: RunItems | undefined } {
  const [state, setState] = useState<{ taskId: string | undefined; shown: RunItems["shown"] }>({
    taskId,
    shown: new Map(),
  });
  // Items of an earlier run say nothing about this one.
  const shown = useMemo(() => (state.taskId === taskId ? state.shown : new Map()), [state, taskId]);
  const show = useCallback<RunItems["show"]>(
    (loopId, item) =>
      setState((before) => ({
        taskId,
        shown: new Map(before.taskId === taskId ? before.shown : []).set(loopId, item),
      })),
    [taskId],
  );
  const all = useMemo(() => withItems(progress, shown), [progress, shown]);
  const items = useMemo(
    () => (taskId === undefined ? undefined : { taskId, isLive, shown, show }),
    [taskId, isLive, shown, show],
  );
  return { progress: all, items };
}

function withItems(progress: Progress, shown: RunItems["shown"]): Progress {
  if (shown.size === 0) return progress;
  const all = new Map(progress);
  for (const [loopId, { index, path, steps }] of shown) {
    const prefix = `${path}[${index}]/`;
    for (const step of steps) {
      const inner = step.stepId.startsWith(prefix) ? step.stepId.slice(prefix.length) : "";
      // A step of a loop inside this one belongs to the item that the inner loop shows.
      if (inner === "" || /\[\d+\]\//.test(inner)) continue;
      all.set(`${loopId}/${inner}`, progressOf(step));
    }
  }
  return all;
}
