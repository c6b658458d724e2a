import { Pencil, Trash2 } from "lucide-react";
import { ConfirmButton } from "./confirm-button.tsx";

/** The buttons at the end of a table row. */
export function EditButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className="btn ghost icon" aria-label={label} title={label} onClick={onClick}>
      <Pencil size={15} />
    </button>
  );
}

interface DeleteButtonProps {
  label: string;
  question: string;
  /** What is deleted and what is kept. */
  consequence: string;
  onConfirm: () => Promise<unknown>;
}

export function DeleteButton(props: DeleteButtonProps) {
  return (
    <ConfirmButton className="btn ghost icon" confirm="Delete" {...props}>
      <Trash2 size={15} />
    </ConfirmButton>
  );
}
