import { useState } from "react";
import type { Step } from "../../../../contract/graph.ts";
import { isDisabled } from "../../../../contract/graph/disabled.ts";
import { messageOf } from "../../../api/api-error.ts";
import { addStepAt, type Place, placeAfter, tidy } from "../../../flow/add-step.ts";
import { copySteps, pasteSteps } from "../../../flow/clipboard.ts";
import { type Draft, type Point, renameStep, updateStep } from "../../../flow/draft.ts";
import { newStep } from "../../../flow/new-step.ts";
import { addNote, removeNote, updateNote } from "../../../flow/notes.ts";
import {
  editScope,
  lineEnds,
  locate,
  nodeIdIn,
  nodeIds,
  removeLines,
  removeNodes,
  updateNodes,
} from "../../../flow/scopes.ts";
import { nameAfterTitle } from "../../../flow/reference-name.ts";
import { stepTitle } from "../../../../contract/graph/step-titles.ts";
import type { Addable } from "../../../flow/search-steps.ts";
import { emptySelection, onlyStep, type Selection, selectStep } from "../../../flow/selection.ts";
import { copyText, useClipboard } from "../../../ui/clipboard.ts";
import { showToast } from "../../../ui/toasts.tsx";
import type { Editing } from "../../canvas/canvas-actions.ts";
import { focusFirstField } from "../panel-focus.ts";
import { rememberStepType } from "./recent-steps.ts";
import type { GraphCommandDeps } from "./graph-command-deps.ts";
import { useGraphShortcuts } from "./use-graph-shortcuts.ts";

/** The open step picker: where the new step goes, and the point of the window next to which the picker is. */
export interface Adding {
  place: Place;
  near: Point | undefined;
}

/** Every command on the graph, defined once for buttons, menus and shortcuts. */
export function useGraphCommands(deps: GraphCommandDeps) {
  const { history, selection, setSelection } = deps;
  const { draft, edit } = history;
  const selected = onlyStep(selection);
  const [adding, setAdding] = useState<Adding>();
  const [editing, setEditing] = useState<Editing>();
  /** The description in the dialog that writes steps; undefined while it is closed. */
  const [description, setDescription] = useState<string>();

  /** Opens the step picker for a place; without one, for the place after the selection. */
  const openPicker = (place: Place = placeOfSelection(draft, selection), near?: Point): void => {
    if (!history.isReadOnly) setAdding({ place, near });
  };
  const closePicker = (): void => setAdding(undefined);

  /** Adds a step at a place, selects it and puts the focus into its first field. */
  function add({ type, fields }: Pick<Addable, "type" | "fields">, place = adding?.place): void {
    // An action of an app is named after what it does; "App" would say nothing.
    const name = type === "app" ? String(fields?.["name"]) : undefined;
    const step = { ...newStep(draft.steps, type, name), ...fields };
    const added = addStepAt(draft, step, place ?? placeAfter(draft, selected));
    edit(() => added.draft);
    rememberStepType(type === "app" ? `app:${String(fields?.["app"])}` : type);
    closePicker();
    setSelection(selectStep(added.nodeId));
    deps.onAdded();
    focusFirstField();
  }

  function remove(): void {
    if (history.isReadOnly) return;
    const { stepIds, edge, note } = selection;
    if (stepIds.size > 0) edit((now) => removeNodes(now, stepIds));
    else if (edge !== undefined) edit((now) => removeLines(now, [edge]));
    else if (note !== undefined) edit((now) => removeNote(now, note));
    else return;
    setSelection(emptySelection);
  }

  /** Disables the selected steps, or enables them when all of them are disabled. */
  function toggleDisabled(): void {
    const { stepIds } = selection;
    const steps = [...stepIds].flatMap((id) => locate(draft, id)?.step ?? []);
    if (steps.length === 0) return;
    const disabled = !steps.every(isDisabled);
    edit((now) =>
      updateNodes(now, stepIds, ({ disabled: _before, ...step }) =>
        disabled ? ({ ...step, disabled } as Step) : (step as Step),
      ),
    );
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

  const copied = (): string => copySteps(draft, selection.stepIds);
  const confirmCopy = (): void =>
    showToast(selection.stepIds.size === 1 ? "Step copied." : `${selection.stepIds.size} steps copied.`);

  /** For the button: outside a clipboard event the browser may refuse access. */
  function copy(): void {
    void copyText(copied()).then(confirmCopy, (error: unknown) => showToast(messageOf(error)));
  }

  /** Pastes next to the selected steps: inside a loop when they are inside one. */
  function paste(text: string): boolean {
    if (history.isReadOnly) return true;
    const scope = [...selection.stepIds].flatMap((id) => locate(draft, id) ?? [])[0]?.scope;
    const pasted = pasteSteps(draft, text, scope);
    if (pasted === undefined) return false;
    edit(() => pasted.draft);
    setSelection({ stepIds: pasted.stepIds });
    return true;
  }

  function duplicate(): void {
    if (selection.stepIds.size > 0) paste(copied());
  }

  /** For the shortcut: the text that the copy event puts on the clipboard. */
  function copyByShortcut(): string | undefined {
    if (selection.stepIds.size === 0) return undefined;
    confirmCopy();
    return copied();
  }

  useClipboard({
    copy: copyByShortcut,
    cut() {
      const text = copyByShortcut();
      if (text !== undefined) remove();
      return text;
    },
    paste(text) {
      if (!paste(text)) showToast("No steps on the clipboard. Copy steps first.");
    },
  });
  const commands = {
    adding,
    openPicker,
    closePicker,
    add,
    remove,
    copy,
    paste,
    duplicate,
    toggleDisabled,
    description,
    describe(text: string): void {
      closePicker();
      setDescription(text);
    },
    closeDescription: (): void => setDescription(undefined),
    editing,
    setEditing,
    rename,
    startRename: (): void => {
      if (history.isReadOnly) return;
      if (selected !== undefined) setEditing({ kind: "title", nodeId: selected });
      else if (selection.note !== undefined) setEditing({ kind: "note", id: selection.note });
    },
    addNote: addNoteAt,
    writeNote: (id: string, text: string): void => edit((now) => updateNote(now, id, { text }), `note ${id}`),
    selectAll: (): void => setSelection({ stepIds: new Set(nodeIds(draft)) }),
    arrange: (): void => edit(tidy),
  };
  useGraphShortcuts(deps, commands);
  return commands;
}

/** On the selected line, otherwise after the selected step or at the end. */
function placeOfSelection(draft: Draft, selection: Selection): Place {
  const line = selection.edge === undefined ? undefined : lineEnds(draft, selection.edge);
  return line === undefined ? placeAfter(draft, onlyStep(selection)) : { kind: "line", ...line };
}
