import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./states.tsx";
import { type Operation, useMay } from "../api/permissions.ts";

interface ConfirmButtonProps {
  className: string;
  children: ReactNode;
  /** The accessible name of an icon button. */
  label?: string;
  question: string;
  /** What is deleted and what is kept. */
  consequence: string;
  confirm: string;
  disabled?: boolean;
  onConfirm: () => Promise<unknown>;
  /** Not shown to a role that may not call this operation. */
  may?: Operation | undefined;
}

/** A button for an action that cannot be undone: a dialog asks first. */
export function ConfirmButton({
  className,
  children,
  label,
  question,
  consequence,
  confirm,
  disabled,
  onConfirm,
  may: operation,
}: ConfirmButtonProps) {
  const may = useMay();
  const [open, setOpen] = useState(false);
  const action = useMutation({ mutationFn: onConfirm, onSuccess: () => setOpen(false) });
  function ask(): void {
    action.reset();
    setOpen(true);
  }
  if (operation !== undefined && !may(operation)) return null;
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={label}
        title={label}
        disabled={disabled}
        onClick={ask}
      >
        {children}
      </button>
      {open && (
        <Dialog title={question} onClose={() => setOpen(false)}>
          <p>{consequence}</p>
          {action.error !== null && <Failure error={action.error} />}
          <div className="actions">
            <button type="button" className="btn" onClick={() => setOpen(false)}>
              Cancel
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
