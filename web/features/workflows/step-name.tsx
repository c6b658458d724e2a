import { useWorkflow } from "../../api/workflows.ts";
import { titleAt } from "../../flow/step-titles.ts";

/** The title of a step in the published workflow; its id while that is loading, and when it has no such step. */
export function StepName({ workflowId, path }: { workflowId: string; path: string }) {
  const graph = useWorkflow(workflowId).data?.metadata;
  return graph === undefined ? path : titleAt(graph, path);
}
