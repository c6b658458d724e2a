import { useState } from "react";
import { addStepAt, type Place, placeAfter } from "../../../flow/add-step.ts";
import type { Draft, Point } from "../../../flow/draft.ts";
import { newStep } from "../../../flow/new-step.ts";
import { lineEnds } from "../../../flow/scopes.ts";
import type { Addable } from "../../../flow/search-steps.ts";
import { onlyStep, type Selection, selectStep } from "../../../flow/selection.ts";
import { focusFirstField } from "../panel-focus.ts";
import type { GraphCommandDeps } from "./graph-command-deps.ts";
import { rememberStepType } from "./recent-steps.ts";

/** The open step picker: where the new step goes, and the point of the window next to which the picker is. */
interface Adding {
  place: Place;
  near: Point | undefined;
}

/** Adds steps, from the step picker or from a description in words. */
export function useStepPicker(deps: GraphCommandDeps) {
  const { history, selection, setSelection } = deps;
  const { draft, edit } = history;
  const [adding, setAdding] = useState<Adding>();
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
    const added = addStepAt(draft, step, place ?? placeAfter(draft, onlyStep(selection)));
    edit(() => added.draft);
    rememberStepType(type === "app" ? `app:${String(fields?.["app"])}` : type);
    closePicker();
    setSelection(selectStep(added.nodeId));
    deps.onAdded();
    focusFirstField();
  }

  return {
    adding,
    openPicker,
    closePicker,
    add,
    description,
    describe(text: string): void {
      closePicker();
      setDescription(text);
    },
    closeDescription: (): void => setDescription(undefined),
  };
}

/** On the selected line, otherwise after the selected step or at the end. */
function placeOfSelection(draft: Draft, selection: Selection): Place {
  const line = selection.edge === undefined ? undefined : lineEnds(draft, selection.edge);
  return line === undefined ? placeAfter(draft, onlyStep(selection)) : { kind: "line", ...line };
}
