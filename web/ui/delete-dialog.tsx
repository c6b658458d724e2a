import type { ReactNode } from "react";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./states.tsx";

interface DeleteDialogProps {
  name: string;
  onClose: () => void;
  /** The mutation that deletes it. */
  action: { mutate: (input: undefined) => void; isPending: boolean; error: unknown };
  /** What is deleted with it, and what stays. */
  children: ReactNode;
}

/** Asks before a record is deleted, and shows an error above its buttons. */
export function DeleteDialog({ name, onClose, action, children }: DeleteDialogProps) {
  return (
    <Dialog title={`Delete “${name}”?`} onClose={onClose}>
      {children}
      {action.error !== null && <Failure error={action.error} />}
      <div className="actions">
        <button type="button" className="btn" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="btn danger"
          disabled={action.isPending}
          onClick={() => action.mutate(undefined)}
        >
          Delete
        </button>
      </div>
    </Dialog>
  );
}
