import { useCallback, useRef, useState } from "react";
import type { Draft } from "../../flow/draft.ts";
import { locate } from "../../flow/scopes.ts";
import { emptySelection, type Selection, selectStep, selectTrigger } from "../../flow/selection.ts";
import { linkedStepId, linkedTriggerId } from "./builder-link.ts";

type Panel = "find" | "versions" | "publish" | "run" | "run-live" | "run-settings" | "settings";

/** Called instead of a selection while a form in the open panel is filled; `select` makes the selection after all. */
type BeforeLeaving = ((select: () => void, next: Selection) => void) | undefined;

/** What is selected on the canvas, and the open panel. A selection shows its own panel. */
export function usePanels(draft: Draft) {
  const [selection, selectNow] = useState<Selection>(() => linkedSelection(draft));
  const [panel, setPanel] = useState<Panel>();
  const beforeLeaving = useRef<BeforeLeaving>(undefined);
  /** Selects and shows the panel of the selection, after the open panel has asked about what was typed into it. */
  const setSelection = useCallback((next: Selection): void => {
    const select = (): void => {
      selectNow(next);
      if (hasSelection(next)) setPanel((open) => (open === "settings" ? undefined : open));
    };
    if (beforeLeaving.current === undefined) select();
    else beforeLeaving.current(select, next);
  }, []);
  return {
    selection,
    setSelection,
    beforeLeaving,
    panel,
    openPanel: setPanel,
    closePanel: (): void => setPanel(undefined),
    closeInspector(): void {
      selectNow(emptySelection);
      setPanel(undefined);
    },
  };
}

function hasSelection({ stepIds, edge, trigger, note }: Selection): boolean {
  return stepIds.size > 0 || edge !== undefined || trigger !== undefined || note !== undefined;
}

/** The trigger or the step that the URL names. A step must be in the draft. */
function linkedSelection(draft: Draft): Selection {
  const trigger = linkedTriggerId();
  if (trigger !== null) return selectTrigger(trigger);
  const stepId = linkedStepId();
  return stepId !== null && locate(draft, stepId) !== undefined ? selectStep(stepId) : emptySelection;
}
