import { useCallback, useReducer } from "react";
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

export type Edit = (edit: (draft: Draft) => Draft, tag?: string) => void;

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
