import { useState } from "react";
import { stepTitle } from "../../../../contract/graph/step-titles.ts";
import { type Point, renameStep, updateStep } from "../../../flow/draft.ts";
import { addNote, updateNote } from "../../../flow/notes.ts";
import { nameAfterTitle } from "../../../flow/reference-name.ts";
import { editScope, locate, nodeIdIn } from "../../../flow/scopes.ts";
import { onlyStep, selectStep } from "../../../flow/selection.ts";
import type { Editing } from "../../canvas/canvas-actions.ts";
import type { GraphCommandDeps } from "./graph-command-deps.ts";

/** Titles of steps and texts of notes, edited on the canvas itself. */
export function useInlineEditing(deps: GraphCommandDeps) {
  const { history, selection, setSelection } = deps;
  const { draft, edit } = history;
  const [editing, setEditing] = useState<Editing>();

  function startRename(): void {
    if (history.isReadOnly) return;
    const selected = onlyStep(selection);
    if (selected !== undefined) setEditing({ kind: "title", nodeId: selected });
    else if (selection.note !== undefined) setEditing({ kind: "note", id: selection.note });
  }

  function rename(nodeId: string, title: string | undefined): void {
    setEditing(undefined);
    const name = title?.trim();
    if (name === undefined || name === "") return;
    const at = locate(draft, nodeId);
    if (at === undefined || name === stepTitle(at.step)) return;
    const { stepId } = at.step;
    const titles = { before: stepTitle(at.step), after: name };
    // The reference name follows the title, unless a person has edited it.
    const to = nameAfterTitle(draft.steps, stepId, titles) ?? stepId;
    edit((now) =>
      editScope(now, at.scope, (graph) => renameStep(updateStep(graph, stepId, { name }), stepId, to)),
    );
    if (to === stepId) return;
    deps.onRenamed(stepId, to);
    setSelection(selectStep(nodeIdIn(at.scope, to)));
  }

  function addNoteAt(at: Point): void {
    if (history.isReadOnly) return;
    const added = addNote(draft, at);
    edit(() => added.draft);
    setSelection({ stepIds: new Set(), note: added.id });
    setEditing({ kind: "note", id: added.id });
  }

  return {
    editing,
    setEditing,
    startRename,
    rename,
    addNote: addNoteAt,
    writeNote: (id: string, text: string): void => edit((now) => updateNote(now, id, { text }), `note ${id}`),
  };
}
