import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";
import { Dialog } from "./dialog.tsx";

interface SecretDialogProps {
  title: string;
  label: string;
  value: string;
  onClose: () => void;
  children?: ReactNode;
}

/** Shows a key or secret that the service returns only once. */
export function SecretDialog({ title, label, value, onClose, children }: SecretDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack tight">
        <div className="row">
          <b className="small grow">{label}</b>
          <CopyButton text={value} />
        </div>
        <pre className="code" data-secret>
          {value}
        </pre>
        <p className="xs muted">Copy it now. You will not be able to see it again.</p>
      </div>
      {children}
      <div className="actions">
        <button type="button" className="btn go" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
