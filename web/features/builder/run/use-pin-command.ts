import type { KnownResults } from "../../../flow/known-results.ts";
import { onlyStep, type Selection } from "../../../flow/selection.ts";
import { useShortcuts } from "../../../ui/shortcuts.ts";
import { showToast } from "../../../ui/toasts.tsx";
import type { Pinning } from "./use-pins.ts";

interface PinCommandDeps {
  selection: Selection;
  pinning: Pinning;
  known: KnownResults;
}

/** Pins the last output of the selected step, or unpins it. Later test runs use it instead of running the step. */
export function usePinCommand({ selection, pinning, known }: PinCommandDeps) {
  const stepId = onlyStep(selection);
  const isPinned = stepId !== undefined && pinning.pins.has(stepId);
  const canPin = stepId !== undefined && (isPinned || known.results.get(stepId)?.status === "completed");
  function togglePin(): void {
    if (stepId === undefined) return;
    if (isPinned) pinning.unpin(stepId);
    else if (canPin) pinning.pin(stepId, known.results.get(stepId)?.output);
    else showToast("Nothing to pin: the step has no output yet. Test it first.");
  }
  useShortcuts({
    p: (event) => {
      event.preventDefault();
      togglePin();
    },
  });
  return { isPinned, canPin, togglePin };
}
