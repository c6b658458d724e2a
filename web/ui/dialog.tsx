import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { DiscardQuestion } from "./discard-question.tsx";
import "./styles/dialog.css";

interface DialogProps {
  title: string;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
}

/**
 * The native modal dialog: it traps the focus, closes on Escape and restores the focus. Once something was typed, Escape
 * and a click outside ask before they discard it.
 */
export function Dialog({ title, onClose, wide = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [isFilled, setFilled] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const leave = (): void => (isFilled ? setAsking(true) : onClose());
  useEffect(() => {
    const dialog = ref.current;
    if (dialog !== null && !dialog.open) {
      dialog.showModal();
      // The browser focuses the close button by default.
      dialog.querySelector<HTMLElement>("input, textarea, select, .go, .actions .btn")?.focus();
    }
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={`modal${wide ? " wide" : ""}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      // A search outside of a form loses nothing.
      onInput={(event) => (event.target as Element).closest("form") !== null && setFilled(true)}
      onClick={(event) => event.target === ref.current && leave()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div className="inside">
        <div className="row">
          <h2 id={titleId} className="grow">
            {title}
          </h2>
          <button type="button" className="btn ghost icon" aria-label="Close" onClick={leave}>
            <X size={16} />
          </button>
        </div>
        {children}
        {isAsking && <DiscardQuestion onKeep={() => setAsking(false)} onDiscard={onClose} />}
      </div>
    </dialog>
  );
}
