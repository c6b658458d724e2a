import { useMemo } from "react";
import { isFinal } from "../../api/tasks.ts";
import type { Graph, Task } from "../../api/types.ts";
import type { RunProgress } from "../../flow/run-progress.ts";
import { ReadOnlyCanvas } from "../canvas/read-only-canvas.tsx";
import { type RunItems, RunItemsContext, useItemProgress } from "../canvas/run-items.ts";

interface RunGraphProps {
  task: Task;
  graph: Graph;
  progress: RunProgress;
  /** The path of the selected step, such as `each[2]/fetch`. */
  selected: string | undefined;
  onSelect: (path: string) => void;
}

/** The run on the canvas: the lines that it took, and loops that page through their items. */
export function RunGraph({ task, graph, progress, selected, onSelect }: RunGraphProps) {
  const shown = useItemProgress(progress.steps, task.id, !isFinal(progress.status));
  const outputs = useMemo(
    () => new Map(task.stepResults.map(({ stepId, output }) => [stepId, output])),
    [task.stepResults],
  );
  return (
    <RunItemsContext value={shown.items}>
      <ReadOnlyCanvas
        graph={graph}
        progress={shown.progress}
        outputs={outputs}
        selected={selected?.replaceAll(/\[\d+\]/g, "")}
        onSelect={(nodeId) => onSelect(pathOf(nodeId, shown.items))}
        label="Graph of this run"
      />
    </RunItemsContext>
  );
}

/** Inside a loop, the path names the item that the loop shows. */
function pathOf(nodeId: string, items: RunItems | undefined): string {
  const cut = nodeId.lastIndexOf("/");
  const item = cut === -1 ? undefined : items?.shown.get(nodeId.slice(0, cut));
  return item === undefined ? nodeId : `${item.path}[${item.index}]${nodeId.slice(cut)}`;
}
