import { titleAt } from "../../contract/graph/step-titles.ts";
import { AppError } from "../lib/errors.ts";
import type { RunnableWorkflows } from "./runnable-workflow.sql.ts";

/** A step of a run. */
export interface RunStep {
  workflowId: string | null;
  /** Null when the run was deleted. */
  workflowVersion: number | null;
  stepId: string | null;
}

export type StepTitles = ReturnType<typeof createStepTitles>;

/** The titles that steps had in the version that ran. */
export function createStepTitles({ getCachedVersion }: Pick<RunnableWorkflows, "getCachedVersion">) {
  async function titleOf({ workflowId, workflowVersion, stepId }: RunStep): Promise<string | null> {
    if (stepId === null || workflowId === null || workflowVersion === null) return stepId;
    try {
      return titleAt((await getCachedVersion(workflowId, workflowVersion)).graph, stepId);
    } catch (error) {
      // The workflow or its draft was deleted.
      if (error instanceof AppError) return stepId;
      throw error;
    }
  }

  return async <T extends RunStep>(steps: readonly T[]): Promise<(T & { stepTitle: string | null })[]> => {
    const titled: (T & { stepTitle: string | null })[] = [];
    // One after the other: the first step of a version loads its graph, the others find it in the cache.
    for (const step of steps) titled.push({ ...step, stepTitle: await titleOf(step) });
    return titled;
  };
}
