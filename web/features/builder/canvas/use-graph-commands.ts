import { messageOf } from "../../../api/api-error.ts";
import { copySteps, pasteSteps } from "../../../flow/clipboard.ts";
import { addStep, type Draft, moveSteps, type Point, removeEdges, removeSteps } from "../../../flow/draft.ts";
import { autoLayout, freePosition, positionsOf } from "../../../flow/layout.ts";
import { copyText, useClipboard } from "../../../ui/clipboard.ts";
import { useShortcuts } from "../../../ui/keys.ts";
import { say } from "../../../ui/toasts.tsx";
import { newStep } from "../../../flow/new-step.ts";
import { emptySelection, selectStep, type Selection, stepInDirection } from "../../../flow/selection.ts";
import type { useAutosave } from "../use-autosave.ts";
import type { useDraft } from "../use-draft.ts";

interface CommandDeps {
  history: ReturnType<typeof useDraft>;
  selection: Selection;
  setSelection: (selection: Selection) => void;
  autosave: Pick<ReturnType<typeof useAutosave>, "save">;
  setPanel: (panel: "search" | "run" | undefined) => void;
}

/** Everything a person can do to the graph, once: buttons, menus and keys all call these. */
export function useGraphCommands({ history, selection, setSelection, autosave, setPanel }: CommandDeps) {
  const { draft, edit } = history;
  const selected = selection.stepIds.size === 1 ? [...selection.stepIds][0] : undefined;

  /** All steps with a place of their own: one step with a place would pull the rest to it. */
  const placed = (): Draft => moveSteps(draft, positionsOf(draft));

  function addAt(type: string, at: Point, after?: string): void {
    const step = { ...newStep(draft.steps, type), position: at };
    edit(() => addStep(placed(), step, after));
    setSelection(selectStep(step.stepId));
  }
  const add = (type: string): void =>
    addAt(type, freePosition(draft, selected), selected ?? draft.steps.at(-1)?.stepId);

  function remove(): void {
    const { stepIds, edge } = selection;
    if (stepIds.size > 0) edit((now) => removeSteps(now, stepIds));
    else if (edge !== undefined) edit((now) => removeEdges(now, new Set([edge])));
    setSelection(emptySelection);
  }

  const copied = (): string => copySteps(draft, selection.stepIds);
  const sayCopied = (): void =>
    say(selection.stepIds.size === 1 ? "Step copied." : `${selection.stepIds.size} steps copied.`);

  function copy(): void {
    void copyText(copied()).then(sayCopied, (error: unknown) => say(messageOf(error)));
  }

  function duplicate(): void {
    if (selection.stepIds.size === 0) return;
    const twin = pasteSteps(placed(), copySteps(placed(), selection.stepIds));
    if (twin === undefined) return;
    edit(() => twin.draft);
    setSelection({ stepIds: twin.stepIds });
  }

  function copyByKey(): string | undefined {
    if (selection.stepIds.size === 0) return undefined;
    sayCopied();
    return copied();
  }

  useClipboard({
    copy: copyByKey,
    cut() {
      const text = copyByKey();
      if (text !== undefined) remove();
      return text;
    },
    paste(text) {
      const pasted = pasteSteps(placed(), text);
      if (pasted === undefined) return say("There are no steps on the clipboard. Copy some first.");
      edit(() => pasted.draft);
      setSelection({ stepIds: pasted.stepIds });
    },
  });

  function step(
    direction: "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight",
  ): (event: KeyboardEvent) => void {
    return (event) => {
      const next = stepInDirection(draft, selected, direction);
      if (
        next === undefined ||
        (event.target instanceof HTMLElement &&
          event.target.closest("[role=tablist], .react-flow__controls") !== null)
      )
        return;
      event.preventDefault();
      setSelection(selectStep(next));
    };
  }
  const doing =
    (action: () => void) =>
    (event: KeyboardEvent): void => {
      event.preventDefault();
      action();
    };
  useShortcuts({
    "/": doing(() => setPanel("search")),
    "mod+Enter": doing(() => setPanel("run")),
    "mod+z": doing(history.undo),
    "shift+mod+z": doing(history.redo),
    "mod+y": doing(history.redo),
    "mod+d": doing(duplicate),
    "mod+a": doing(() => setSelection({ stepIds: new Set(draft.steps.map(({ stepId }) => stepId)) })),
    "mod+s": doing(() => void autosave.save()),
    Delete: doing(remove),
    Backspace: doing(remove),
    Escape: () => setSelection(emptySelection),
    ArrowUp: step("ArrowUp"),
    ArrowDown: step("ArrowDown"),
    ArrowLeft: step("ArrowLeft"),
    ArrowRight: step("ArrowRight"),
  });

  const arrange = (): void => edit((now) => moveSteps(now, autoLayout(now)));
  return { add, addAt, remove, copy, duplicate, arrange };
}
