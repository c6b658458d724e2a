import { messageOf } from "../../../api/api-error.ts";
import { copySteps, pasteSteps } from "../../../flow/clipboard.ts";
import { locate } from "../../../flow/scopes.ts";
import { copyText, useClipboard } from "../../../ui/clipboard.ts";
import { showToast } from "../../../ui/toasts.tsx";
import type { GraphCommandDeps } from "./graph-command-deps.ts";

/** Copies, cuts, pastes and duplicates steps, by button and by shortcut. */
export function useStepClipboard(
  { history, selection, setSelection }: GraphCommandDeps,
  removeSelection: () => void,
) {
  const { draft, edit } = history;
  const copied = (): string => copySteps(draft, selection.stepIds);
  const confirmCopy = (): void =>
    showToast(selection.stepIds.size === 1 ? "Step copied." : `${selection.stepIds.size} steps copied.`);

  /** For the button: outside a clipboard event the browser may refuse access. */
  function copy(): void {
    void copyText(copied()).then(confirmCopy, (error: unknown) => showToast(messageOf(error)));
  }

  /** For the shortcut: the text that the copy event puts on the clipboard. */
  function copyByShortcut(): string | undefined {
    if (selection.stepIds.size === 0) return undefined;
    confirmCopy();
    return copied();
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

  useClipboard({
    copy: copyByShortcut,
    cut() {
      const text = copyByShortcut();
      if (text !== undefined) removeSelection();
      return text;
    },
    paste(text) {
      if (!paste(text)) void import("./explain-paste.ts").then(({ explainPaste }) => explainPaste(text));
    },
  });
  return { copy, paste, duplicate };
}
