import { useMemo } from "react";
import type { Problem, Validation } from "../../../contract/graph.ts";
import { validateGraph } from "../../../contract/graph/validate.ts";
import type { Draft } from "../../flow/draft.ts";
import { topLevelStepOf } from "../../flow/inner-graph.ts";

/** What the one validator says about a draft; `onCanvas` shows a problem inside a loop at the loop, which stands there. */
export function useValidation(draft: Draft): { validation: Validation; onCanvas: Problem[] } {
  return useMemo(() => {
    const validation = validateGraph(draft);
    const onCanvas = validation.errors.map((problem) => {
      const holder = problem.stepId === undefined ? undefined : topLevelStepOf(draft.steps, problem.stepId);
      return holder === undefined ? problem : { ...problem, stepId: holder };
    });
    return { validation, onCanvas };
  }, [draft]);
}
