import { Check, X } from "lucide-react";
import type { ReactNode } from "react";
import type { Decision } from "../../api/approvals.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { TextField } from "../../ui/field.tsx";

interface DecisionButtonsProps {
  comment: string;
  onComment: (comment: string) => void;
  busy: boolean;
  onDecide: (decision: Decision) => Promise<unknown>;
  aside?: ReactNode;
}

/** A rejection usually ends the run, so it asks first. */
export function DecisionButtons({ comment, onComment, busy, onDecide, aside }: DecisionButtonsProps) {
  return (
    <>
      <TextField
        label="Comment"
        value={comment}
        onChange={onComment}
        rows={2}
        placeholder="Stored with the run"
      />
      <div className="row wrap decision-buttons">
        <button
          type="button"
          className="btn go"
          disabled={busy}
          // The failure is shown by the caller.
          onClick={() => void onDecide("approve").catch(() => undefined)}
        >
          <Check size={14} /> Approve
        </button>
        <ConfirmButton
          className="btn danger"
          question="Reject this request?"
          consequence="The run stops here unless the workflow handles a rejection. The decision cannot be changed."
          confirm="Reject"
          disabled={busy}
          onConfirm={() => onDecide("reject")}
        >
          <X size={14} /> Reject
        </ConfirmButton>
        <span className="grow" />
        {aside}
      </div>
    </>
  );
}
