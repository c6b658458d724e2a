import { useCallback, useMemo, useReducer } from "react";
import type { Problem, Validation } from "../../../contract/graph.ts";
import { validateGraph } from "../../../contract/graph/validate.ts";
import type { Draft } from "../../flow/draft.ts";
import { beginHistory, type History, record, redo, undo } from "../../flow/history.ts";
import { topLevelStepOf } from "../../flow/inner-graph.ts";

type Action =
  | { kind: "edit"; edit: (draft: Draft) => Draft; tag?: string | undefined }
  | { kind: "undo" }
  | { kind: "redo" }
  | { kind: "reset"; draft: Draft };

function reduce(history: History<Draft>, action: Action): History<Draft> {
  switch (action.kind) {
    case "edit":
      return record(history, action.edit(history.present), action.tag);
    case "undo":
      return undo(history);
    case "redo":
      return redo(history);
    case "reset":
      return beginHistory(action.draft);
  }
}

/** Consecutive edits with the same tag are undone together. */
export type Edit = (edit: (draft: Draft) => Draft, tag?: string) => void;

/** The draft with its undo history; `reset` starts a new history. */
export function useDraft(initial: () => Draft) {
  const [history, dispatch] = useReducer(reduce, undefined, () => beginHistory(initial()));
  const edit = useCallback<Edit>((change, tag) => dispatch({ kind: "edit", edit: change, tag }), []);
  return {
    draft: history.present,
    edit,
    undo: useCallback(() => dispatch({ kind: "undo" }), []),
    redo: useCallback(() => dispatch({ kind: "redo" }), []),
    reset: useCallback((draft: Draft) => dispatch({ kind: "reset", draft }), []),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
  };
}

/** Runs the validator of the service. In `canvasProblems` a problem inside a loop belongs to the loop. */
export function useValidation(
  draft: Draft,
  workflowId: string,
): { validation: Validation; canvasProblems: Problem[] } {
  return useMemo(() => {
    const validation = validateGraph(draft, { workflowId });
    const canvasProblems = validation.errors.map((problem) => {
      const stepId = problem.stepId === undefined ? undefined : topLevelStepOf(draft.steps, problem.stepId);
      return stepId === undefined ? problem : { ...problem, stepId };
    });
    return { validation, canvasProblems };
  }, [draft, workflowId]);
}
