import { createContext, useContext } from "react";
import type { Place } from "../../flow/add-step.ts";
import type { Point } from "../../flow/draft.ts";

/** The title of a step or the text of a note that is a field on the canvas now. */
export type Editing = { kind: "title"; nodeId: string } | { kind: "note"; id: string };

/** What the nodes and lines of an editable canvas can do. Without it the canvas is read-only and shows no buttons. */
export interface CanvasActions {
  /** Opens the step picker for a place, next to a point of the window. */
  add: (place: Place, near: Point) => void;
  /** The place that the picker is open for; its button is marked. */
  adding: Place | undefined;
  editing: Editing | undefined;
  edit: (editing: Editing | undefined) => void;
  /** Undefined keeps the old title. */
  rename: (nodeId: string, title: string | undefined) => void;
  writeNote: (noteId: string, text: string) => void;
}

export const CanvasActionsContext = createContext<CanvasActions | undefined>(undefined);

export function useCanvasActions(): CanvasActions | undefined {
  return useContext(CanvasActionsContext);
}

/** The middle of the clicked element, next to which the picker opens. */
export function middleOf(element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
