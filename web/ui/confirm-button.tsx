import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./states.tsx";

interface ConfirmButtonProps {
  /** The button itself: how it looks, what stands on it and what it is called. */
  className: string;
  children: ReactNode;
  label?: string;
  question: string;
  /** What goes and what stays. */
  consequence: string;
  confirm: string;
  act: () => Promise<unknown>;
}

/** What cannot be taken back asks once, and says what it takes with it. */
export function ConfirmButton({
  className,
  children,
  label,
  question,
  consequence,
  confirm,
  act,
}: ConfirmButtonProps) {
  const [asking, setAsking] = useState(false);
  const action = useMutation({ mutationFn: act, onSuccess: () => setAsking(false) });
  function ask(): void {
    action.reset();
    setAsking(true);
  }
  return (
    <>
      <button type="button" className={className} aria-label={label} title={label} onClick={ask}>
        {children}
      </button>
      {asking && (
        <Dialog title={question} onClose={() => setAsking(false)}>
          <p>{consequence}</p>
          {action.error !== null && <Failure error={action.error} />}
          <div className="actions">
            <button type="button" className="btn" onClick={() => setAsking(false)}>
              Keep it
            </button>
            <button
              type="button"
              className="btn danger"
              disabled={action.isPending}
              onClick={() => action.mutate()}
            >
              {confirm}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
