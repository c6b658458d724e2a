import { useMemo, useRef } from "react";
import type { CanvasActions } from "../../canvas/canvas-actions.ts";
import type { BuilderState } from "../use-builder.ts";

/** The actions of the nodes, with one identity while nothing is added or edited: every node renders when they change. */
export function useCanvasActionsOf({ commands, history }: BuilderState): CanvasActions | undefined {
  const latest = useRef(commands);
  latest.current = commands;
  const { editing } = commands;
  const place = commands.adding?.place;
  const actions = useMemo(
    (): CanvasActions => ({
      add: (where, near) => latest.current.openPicker(where, near),
      adding: place,
      editing,
      edit: (next) => latest.current.setEditing(next),
      rename: (nodeId, title) => latest.current.rename(nodeId, title),
      writeNote: (noteId, text) => latest.current.writeNote(noteId, text),
    }),
    [place, editing],
  );
  return history.isReadOnly ? undefined : actions;
}
