import { Pencil, Trash2 } from "lucide-react";
import { ConfirmButton } from "./confirm-button.tsx";
import { type Operation, useMay } from "../api/permissions.ts";

interface EditButtonProps {
  label: string;
  onClick: () => void;
  /** Not shown to a role that may not call this operation. */
  may: Operation;
}

/** The buttons at the end of a table row. */
export function EditButton({ label, onClick, may: operation }: EditButtonProps) {
  const may = useMay();
  if (!may(operation)) return null;
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
  /** Not shown to a role that may not call this operation; absent where no role of a workspace decides. */
  may?: Operation;
}

export function DeleteButton(props: DeleteButtonProps) {
  return (
    <ConfirmButton className="btn ghost icon" confirm="Delete" {...props}>
      <Trash2 size={15} />
    </ConfirmButton>
  );
}
