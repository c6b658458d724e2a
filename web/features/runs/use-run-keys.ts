import { useShortcuts } from "../../ui/shortcuts.ts";

interface RunKeys {
  onSelect: (path: string) => void;
  onClose: () => void;
  onRerun: () => void;
  canRerun: boolean;
}

/** J and K walk the rows, Enter opens one, A and R go to the buttons of an open approval. */
export function useRunKeys({ onSelect, onClose, onRerun, canRerun }: RunKeys): void {
  const walk = (by: 1 | -1): void => {
    const rows = [...document.querySelectorAll<HTMLElement>(".tl-row .tl-open")];
    const focused = rows.findIndex((row) => row === document.activeElement);
    const from =
      focused >= 0 ? focused : rows.findIndex((row) => row.getAttribute("aria-pressed") === "true");
    const next = rows[from < 0 ? (by === 1 ? 0 : rows.length - 1) : from + by];
    if (next === undefined) return;
    next.focus();
    const path = next.closest<HTMLElement>(".tl-row")?.dataset["step"];
    if (path !== undefined) onSelect(path);
  };
  const focusButton = (selector: string): void =>
    document.querySelector<HTMLElement>(`.tl-decision ${selector}`)?.focus();
  useShortcuts({
    j: () => walk(1),
    k: () => walk(-1),
    a: () => focusButton(".btn.go"),
    r: () => focusButton(".btn.danger"),
    "shift+r": () => canRerun && onRerun(),
    Escape: onClose,
  });
}
