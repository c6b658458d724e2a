import { useRef } from "react";
import { locate } from "../../../flow/scopes.ts";
import {
  type Direction,
  emptySelection,
  nodeInDirection,
  onlyStep,
  selectNode,
} from "../../../flow/selection.ts";
import { useShortcuts } from "../../../ui/shortcuts.ts";
import { focusFirstField, focusNode, switchFocus } from "../panel-focus.ts";
import type { GraphCommandDeps } from "./graph-command-deps.ts";

interface Commands {
  openPicker: () => void;
  remove: () => void;
  duplicate: () => void;
  selectAll: () => void;
  arrange: () => void;
  toggleDisabled: () => void;
  startRename: () => void;
}

/** Keys that act on the graph while no field has the focus. */
export function useGraphShortcuts(
  { history, triggers, selection, setSelection, autosave, closePanel }: GraphCommandDeps,
  commands: Commands,
): void {
  const { draft } = history;
  const selected = onlyStep(selection) ?? selection.trigger;
  /** Where the keyboard was before Escape: an arrow or F6 returns there, not to the first step. */
  const left = useRef<string>(undefined);
  const returnsTo = (): string | undefined =>
    left.current !== undefined && locate(draft, left.current) !== undefined ? left.current : undefined;
  const moveTo =
    (direction: Direction) =>
    (event: KeyboardEvent): void => {
      const back = selected === undefined ? returnsTo() : undefined;
      const next = back ?? nodeInDirection(draft, selected, direction, triggers);
      if (next === undefined || handlesArrows(event.target)) return;
      event.preventDefault();
      setSelection(selectNode(next));
      // The focus follows, so that Enter, F6 and the menu key act on the step that is selected.
      requestAnimationFrame(() => focusNode(next));
    };
  const run =
    (action: () => void) =>
    (event: KeyboardEvent): void => {
      event.preventDefault();
      action();
    };
  useShortcuts({
    "/": run(() => commands.openPicker()),
    "mod+z": run(history.undo),
    "shift+mod+z": run(history.redo),
    "mod+y": run(history.redo),
    "mod+d": run(commands.duplicate),
    "mod+a": run(commands.selectAll),
    "mod+s": run(() => void autosave.save()),
    "shift+t": run(commands.arrange),
    d: run(commands.toggleDisabled),
    F2: run(commands.startRename),
    Delete: run(commands.remove),
    Backspace: run(commands.remove),
    F6: run(() => switchFocus(selected ?? returnsTo())),
    Enter(event) {
      if (!isOnCanvas(event.target)) return;
      // The panel of a step opens wide.
      if (selection.note === undefined && selection.trigger === undefined) return;
      event.preventDefault();
      if (selection.note !== undefined) commands.startRename();
      else if (selected !== undefined) focusFirstField();
    },
    // Keeps its default action, which closes dialogs.
    Escape: () => {
      left.current = selected ?? left.current;
      setSelection(emptySelection);
      closePanel();
    },
    ArrowUp: moveTo("ArrowUp"),
    ArrowDown: moveTo("ArrowDown"),
    ArrowLeft: moveTo("ArrowLeft"),
    ArrowRight: moveTo("ArrowRight"),
  });
}

/** Tabs, menus and the controls of the canvas handle arrow keys themselves. */
function handlesArrows(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest("[role=tablist], [role=menu], [role=listbox], [role=radiogroup], .zoom-controls") !== null
  );
}

/** On a node or on nothing; a button or link handles Enter itself. */
function isOnCanvas(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target === document.body || target.classList.contains("react-flow__node");
}
