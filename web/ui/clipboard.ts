import { useLayoutEffect, useRef } from "react";
import { isTyping } from "./shortcuts.ts";

/**
 * `navigator.clipboard` exists in secure contexts only. A service in a local network is usually reached over plain HTTP,
 * where `execCommand` still works.
 */
export async function copyText(text: string): Promise<void> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard !== undefined) return clipboard.writeText(text);
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  // While a modal dialog is open, text outside of it cannot be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isCopied) throw new Error("The browser did not allow copying. Select the text and copy it by hand.");
}

interface ClipboardActions {
  /** The text to put on the clipboard; undefined leaves the clipboard unchanged. */
  copy(): string | undefined;
  cut(): string | undefined;
  paste(text: string): void;
}

/**
 * Handles copy, cut and paste while no field has the focus and no text is selected. The clipboard events need no
 * permission, work over plain HTTP and are synchronous, so a paste right after a copy sees the copied text.
 */
export function useClipboard(actions: ClipboardActions): void {
  const current = useRef(actions);
  current.current = actions;
  useLayoutEffect(() => {
    function onCopy(event: ClipboardEvent): void {
      if (isInFieldOrDialog(event.target) || getSelection()?.isCollapsed === false) return;
      const text = event.type === "cut" ? current.current.cut() : current.current.copy();
      if (text === undefined) return;
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
    }
    function onPaste(event: ClipboardEvent): void {
      if (!isInFieldOrDialog(event.target))
        current.current.paste(event.clipboardData?.getData("text/plain") ?? "");
    }
    document.addEventListener("copy", onCopy);
    document.addEventListener("cut", onCopy);
    document.addEventListener("paste", onPaste);
    return () => {
      document.removeEventListener("copy", onCopy);
      document.removeEventListener("cut", onCopy);
      document.removeEventListener("paste", onPaste);
    };
  }, []);
}

function isInFieldOrDialog(target: EventTarget | null): boolean {
  return isTyping(target) || (target instanceof Element && target.closest("dialog") !== null);
}
