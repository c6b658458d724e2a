import { useLayoutEffect, useRef } from "react";
import { isTyping } from "./keys.ts";

/**
 * Over plain http, on any address but the machine's own, a browser keeps its clipboard from the page, and that is how a
 * service in somebody's own network is mostly reached. The old command still works there.
 */
export async function copyText(text: string): Promise<void> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard !== undefined) return clipboard.writeText(text);
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  // While a dialog is open, nothing outside of it can be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!isCopied) throw new Error("The browser did not allow copying.");
}

interface ClipboardActions {
  /** What goes onto the clipboard; nothing leaves it as it was. */
  copy(): string | undefined;
  cut(): string | undefined;
  paste(text: string): void;
}

/**
 * What the keys for copying and pasting do while no field has the focus and no text is marked. The browser's own events
 * need no permission and work over plain http; and what was copied is there before anything can be pasted.
 */
export function useClipboard(actions: ClipboardActions): void {
  const current = useRef(actions);
  current.current = actions;
  useLayoutEffect(() => {
    function onCopy(event: ClipboardEvent): void {
      if (isElsewhere(event.target) || getSelection()?.isCollapsed === false) return;
      const text = event.type === "cut" ? current.current.cut() : current.current.copy();
      if (text === undefined) return;
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
    }
    function onPaste(event: ClipboardEvent): void {
      if (!isElsewhere(event.target)) current.current.paste(event.clipboardData?.getData("text/plain") ?? "");
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

function isElsewhere(target: EventTarget | null): boolean {
  return isTyping(target) || (target instanceof Element && target.closest("dialog") !== null);
}
