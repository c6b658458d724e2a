import { useLayoutEffect, useRef } from "react";

export type Shortcuts = Record<string, (event: KeyboardEvent) => void>;

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
export const modifier = isMac ? "⌘" : "Ctrl\u00a0";

/** "mod+k", "shift+mod+z", "/", "Escape": `mod` is ⌘ on a Mac and Ctrl elsewhere. */
function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const mod = event.metaKey || event.ctrlKey;
  // With a sign such as "?" Shift is part of typing it.
  const shift = event.shiftKey && (mod || event.key.length > 1 || /^[a-z]$/.test(key));
  return `${shift ? "shift+" : ""}${mod ? "mod+" : ""}${key}`;
}

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** While a field has the focus, only `mod` shortcuts, Escape and F6 apply; undo and the clipboard keys stay with the field. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  // A layout effect, so that a key pressed right after the first paint is not lost.
  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const name = nameOf(event);
      const action = current.current[name];
      if (action === undefined || event.defaultPrevented) return;
      const typing = isTyping(event.target);
      if (
        typing &&
        (!name.includes("mod+") || /^(shift\+)?mod\+[zycvxa]$/.test(name)) &&
        name !== "Escape" &&
        name !== "F6"
      )
        return;
      action(event);
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}
