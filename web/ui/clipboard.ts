import { useEffect, useRef } from "react";
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

/** Text that is pasted while no field has the focus. The event needs no permission, unlike reading the clipboard. */
export function usePaste(onText: (text: string) => void): void {
  const current = useRef(onText);
  current.current = onText;
  useEffect(() => {
    function onPaste(event: ClipboardEvent): void {
      const target = event.target;
      if (isTyping(target) || (target instanceof Element && target.closest("dialog") !== null)) return;
      current.current(event.clipboardData?.getData("text/plain") ?? "");
    }
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, []);
}
