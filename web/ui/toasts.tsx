import { useSyncExternalStore } from "react";

interface Toast {
  id: number;
  text: string;
}

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();
const SHOWN_MS = 5000;

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** One line that goes away by itself; for what needs no answer. */
export function say(text: string): void {
  const id = nextId++;
  change([...toasts.slice(-3), { id, text }]);
  setTimeout(() => change(toasts.filter((toast) => toast.id !== id)), SHOWN_MS);
}

/** `lasting` stays for as long as it is true. */
export function Toasts({ lasting }: { lasting: string | undefined }) {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((toast) => (
        <div key={toast.id} className="toast">
          {toast.text}
        </div>
      ))}
      {lasting !== undefined && <div className="toast lasting">{lasting}</div>}
    </div>
  );
}
