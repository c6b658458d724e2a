import { ConfirmButton } from "../../../ui/confirm-button.tsx";
import type { BuilderState } from "../use-builder.ts";

interface DeleteTriggerProps {
  builder: BuilderState;
  /** What the button says, such as "Delete schedule". */
  label: string;
  question: string;
  consequence: string;
  confirm?: string;
  onDelete: () => Promise<unknown>;
}

/** Deletes a trigger and closes its panel. */
export function DeleteTrigger(props: DeleteTriggerProps) {
  const { builder, label, question, consequence, confirm = "Delete", onDelete } = props;
  return (
    <div>
      <ConfirmButton
        className="btn danger"
        question={question}
        consequence={consequence}
        confirm={confirm}
        onConfirm={async () => {
          await onDelete();
          builder.closeInspector();
        }}
      >
        {label}
      </ConfirmButton>
    </div>
  );
}
