import type { Graph, Task } from "../api/types.ts";
import { stepsFrom } from "./step-order.ts";

/** The number of results that a rerun keeps: all completed ones, or those of steps that do not follow `fromStepId`. */
export function keptResults(task: Task, graph: Graph, fromStepId: string | undefined): number {
  const again = new Set(fromStepId === undefined ? [] : stepsFrom(graph, fromStepId));
  return task.stepResults.filter(({ stepId, status }) => status === "completed" && !again.has(stepId)).length;
}
