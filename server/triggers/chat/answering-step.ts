import type { RunnableWorkflow } from "../../engine/engine-api.ts";

/** Step types whose text is passed on while it is written. */
const WRITING_TYPES = new Set(["agent", "document_query", "llm"]);

/**
 * The step whose text is the answer, if it writes one: the response step, else the only final step. Texts of other steps
 * stay inside of the workflow.
 */
export function answeringStep({ graph, responseStepId }: RunnableWorkflow): string | undefined {
  const sources = new Set(graph.edges.map(({ source }) => source));
  const finals = graph.steps.filter(({ stepId }) => !sources.has(stepId));
  const answers =
    responseStepId === undefined
      ? finals.length === 1
        ? finals
        : []
      : graph.steps.filter(({ stepId }) => stepId === responseStepId);
  return answers.find(({ type }) => WRITING_TYPES.has(type))?.stepId;
}
