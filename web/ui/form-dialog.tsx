import type { ReactNode } from "react";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./states.tsx";

interface FormDialogProps {
  title: string;
  onClose: () => void;
  /** The mutation that submits the form. */
  action: { mutate: (input: undefined) => void; isPending: boolean; error: unknown };
  submit: string;
  /** False while the form holds an invalid value. */
  ready?: boolean;
  children: ReactNode;
}

/** A form in a dialog. It submits once at a time and shows an error above its button. */
export function FormDialog({ title, onClose, action, submit, ready = true, children }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) action.mutate(undefined);
        }}
      >
        {children}
        {action.error !== null && <Failure error={action.error} />}
        <div className="actions">
          <button type="submit" className="btn go" disabled={action.isPending || !ready}>
            {submit}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
