import { Trash2 } from "lucide-react";
import { ConfirmButton } from "./confirm-button.tsx";

interface DeleteButtonProps {
  /** What it says to those who cannot see the bin. */
  label: string;
  question: string;
  /** What goes and what stays. */
  consequence: string;
  act: () => Promise<unknown>;
}

/** The bin at the end of a row. */
export function DeleteButton(props: DeleteButtonProps) {
  return (
    <ConfirmButton className="btn ghost icon" confirm="Delete" {...props}>
      <Trash2 size={15} />
    </ConfirmButton>
  );
}
