import { useSyncExternalStore } from "react";

interface Toast {
  id: number;
  text: string;
}

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();
const SHOWN_MS = 5000;

function setToasts(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a message for five seconds. */
export function showToast(text: string): void {
  const id = nextId++;
  setToasts([...toasts.slice(-3), { id, text }]);
  setTimeout(() => setToasts(toasts.filter((toast) => toast.id !== id)), SHOWN_MS);
}

/** `persistent` is shown for as long as it is set. */
export function Toasts({ persistent }: { persistent: string | undefined }) {
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
      {persistent !== undefined && <div className="toast lasting">{persistent}</div>}
    </div>
  );
}
