import { useCallback, useMemo, useReducer } from "react";
import type { Validation } from "../../../contract/graph.ts";
import { responseStepWarnings } from "../../../contract/graph/response-step.ts";
import { validateGraph } from "../../../contract/graph/validate.ts";
import type { AppDetails } from "../../api/apps.ts";
import { appProblems } from "../../flow/app-problems.ts";
import type { Workflow } from "../../api/types.ts";
import type { Draft } from "../../flow/draft.ts";
import { beginHistory, type History, record, redo, undo } from "../../flow/history.ts";

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

/** The draft with its undo history; `reset` starts a new history. A read-only draft ignores edits. */
export function useDraft(initial: () => Draft, isReadOnly: boolean) {
  const [history, dispatch] = useReducer(reduce, undefined, () => beginHistory(initial()));
  const edit = useCallback<Edit>(
    (change, tag) => {
      if (!isReadOnly) dispatch({ kind: "edit", edit: change, tag });
    },
    [isReadOnly],
  );
  return {
    draft: history.present,
    isReadOnly,
    edit,
    undo: useCallback(() => dispatch({ kind: "undo" }), []),
    redo: useCallback(() => dispatch({ kind: "redo" }), []),
    reset: useCallback((draft: Draft) => dispatch({ kind: "reset", draft }), []),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
  };
}

/** Runs the validator of the service, and checks the response step and the inputs of the apps that are loaded. */
export function useValidation(
  draft: Draft,
  { id: workflowId, apiSettings: { responseStepId } }: Pick<Workflow, "id" | "apiSettings">,
  apps: readonly AppDetails[],
): { validation: Validation } {
  return useMemo(() => {
    const { errors, warnings } = validateGraph(draft, { workflowId });
    const all = [...errors, ...appProblems(draft, apps)];
    const more = responseStepWarnings(responseStepId, draft, warnings);
    return { validation: { valid: all.length === 0, errors: all, warnings: [...warnings, ...more] } };
  }, [draft, workflowId, responseStepId, apps]);
}
