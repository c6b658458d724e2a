import { useSyncExternalStore } from "react";

interface Toast {
  id: number;
  about?: string | undefined;
  text: string;
  action?: ToastAction | undefined;
}

interface ToastAction {
  label: string;
  run: () => void;
}

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();
const SHOWN_MS = 5000;

function setToasts(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function removeToast(id: number): void {
  setToasts(toasts.filter((toast) => toast.id !== id));
}

interface ToastOptions {
  action?: ToastAction;
  forMs?: number;
  /** An earlier message about the same, whose action no longer applies, is replaced. */
  about?: string;
}

/** Shows a message, for five seconds by default, with one action at most. */
export function showToast(text: string, { action, forMs = SHOWN_MS, about }: ToastOptions = {}): void {
  const id = nextId++;
  const others = toasts.filter((toast) => about === undefined || toast.about !== about);
  setToasts([...others.slice(-3), { id, text, action, about }]);
  setTimeout(() => removeToast(id), forMs);
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
          {toast.action !== undefined && (
            <button
              type="button"
              className="toast-action"
              onClick={() => {
                removeToast(toast.id);
                toast.action?.run();
              }}
            >
              {toast.action.label}
            </button>
          )}
        </div>
      ))}
      {persistent !== undefined && <div className="toast lasting">{persistent}</div>}
    </div>
  );
}
