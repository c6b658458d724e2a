import { messageOf } from "../../../api/api-error.ts";
import { copySteps, pasteSteps } from "../../../flow/clipboard.ts";
import { addStep, type Draft, moveSteps, type Point, removeEdges, removeSteps } from "../../../flow/draft.ts";
import { autoLayout, freePosition, positionsOf } from "../../../flow/layout.ts";
import { newStep } from "../../../flow/new-step.ts";
import {
  type Direction,
  emptySelection,
  type Selection,
  selectStep,
  stepInDirection,
} from "../../../flow/selection.ts";
import { copyText, useClipboard } from "../../../ui/clipboard.ts";
import { useShortcuts } from "../../../ui/shortcuts.ts";
import { showToast } from "../../../ui/toasts.tsx";
import type { useAutosave } from "../use-autosave.ts";
import type { useDraft } from "../use-draft.ts";

interface GraphCommandDeps {
  history: ReturnType<typeof useDraft>;
  selection: Selection;
  setSelection: (selection: Selection) => void;
  autosave: Pick<ReturnType<typeof useAutosave>, "save">;
  setPanel: (panel: "search" | "run" | undefined) => void;
}

/** Every command on the graph, defined once for buttons, menus and shortcuts. */
export function useGraphCommands(deps: GraphCommandDeps) {
  const { history, selection, setSelection } = deps;
  const { draft, edit } = history;
  const selected = selection.stepIds.size === 1 ? [...selection.stepIds][0] : undefined;

  /** The draft with a position on every step. While one step has none, the layout places all of them. */
  const positioned = (): Draft => moveSteps(draft, positionsOf(draft));

  function addAt(type: string, at: Point, after?: string): void {
    const step = { ...newStep(draft.steps, type), position: at };
    edit(() => addStep(positioned(), step, after));
    setSelection(selectStep(step.stepId));
  }
  /** Adds a step after the selected one, or after the last one. */
  const add = (type: string): void =>
    addAt(type, freePosition(draft, selected), selected ?? draft.steps.at(-1)?.stepId);

  function remove(): void {
    const { stepIds, edge } = selection;
    if (stepIds.size > 0) edit((now) => removeSteps(now, stepIds));
    else if (edge !== undefined) edit((now) => removeEdges(now, new Set([edge])));
    setSelection(emptySelection);
  }

  const copied = (): string => copySteps(draft, selection.stepIds);
  const confirmCopy = (): void =>
    showToast(selection.stepIds.size === 1 ? "Step copied." : `${selection.stepIds.size} steps copied.`);

  /** For the button: outside a clipboard event the browser may refuse access. */
  function copy(): void {
    void copyText(copied()).then(confirmCopy, (error: unknown) => showToast(messageOf(error)));
  }

  function paste(text: string, source: Draft): boolean {
    const pasted = pasteSteps(source, text);
    if (pasted === undefined) return false;
    edit(() => pasted.draft);
    setSelection({ stepIds: pasted.stepIds });
    return true;
  }

  function duplicate(): void {
    if (selection.stepIds.size === 0) return;
    const source = positioned();
    paste(copySteps(source, selection.stepIds), source);
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
      if (!paste(text, positioned())) showToast("No steps on the clipboard. Copy steps first.");
    },
  });
  useGraphShortcuts(deps, { selected, remove, duplicate });

  const arrange = (): void => edit((now) => moveSteps(now, autoLayout(now)));
  return { add, addAt, remove, copy, duplicate, arrange };
}

interface ShortcutTargets {
  selected: string | undefined;
  remove: () => void;
  duplicate: () => void;
}

function useGraphShortcuts(
  { history, setSelection, autosave, setPanel }: GraphCommandDeps,
  { selected, remove, duplicate }: ShortcutTargets,
): void {
  const { draft } = history;
  const moveTo =
    (direction: Direction) =>
    (event: KeyboardEvent): void => {
      const next = stepInDirection(draft, selected, direction);
      // Tabs and canvas controls handle arrow keys themselves.
      const isControl =
        event.target instanceof HTMLElement &&
        event.target.closest("[role=tablist], .react-flow__controls") !== null;
      if (next === undefined || isControl) return;
      event.preventDefault();
      setSelection(selectStep(next));
    };
  const run =
    (action: () => void) =>
    (event: KeyboardEvent): void => {
      event.preventDefault();
      action();
    };
  useShortcuts({
    "/": run(() => setPanel("search")),
    "mod+Enter": run(() => setPanel("run")),
    "mod+z": run(history.undo),
    "shift+mod+z": run(history.redo),
    "mod+y": run(history.redo),
    "mod+d": run(duplicate),
    "mod+a": run(() => setSelection({ stepIds: new Set(draft.steps.map(({ stepId }) => stepId)) })),
    "mod+s": run(() => void autosave.save()),
    Delete: run(remove),
    Backspace: run(remove),
    // Keeps its default action, which closes dialogs.
    Escape: () => {
      setSelection(emptySelection);
      setPanel(undefined);
    },
    ArrowUp: moveTo("ArrowUp"),
    ArrowDown: moveTo("ArrowDown"),
    ArrowLeft: moveTo("ArrowLeft"),
    ArrowRight: moveTo("ArrowRight"),
  });
}
