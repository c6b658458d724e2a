import type { Selection } from "../../../flow/selection.ts";
import type { Trigger } from "../../../flow/triggers.ts";
import type { useAutosave } from "../use-autosave.ts";
import type { useDraft } from "../use-draft.ts";

/** What the commands on the graph act on. */
export interface GraphCommandDeps {
  history: ReturnType<typeof useDraft>;
  triggers: readonly Trigger[];
  selection: Selection;
  setSelection: (selection: Selection) => void;
  autosave: Pick<ReturnType<typeof useAutosave>, "save">;
  /** Called when a step gets another reference name. */
  onRenamed: (from: string, to: string) => void;
  closePanel: () => void;
  /** Called when a step was added: its settings come first. */
  onAdded: () => void;
}
