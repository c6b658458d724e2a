import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { type Operation, useMay } from "../api/permissions.ts";

interface NewButtonProps {
  onClick: () => void;
  /** Not shown to a role that may not call this operation. */
  may: Operation;
  children: ReactNode;
}

/** The button in the top bar of a list that creates an item. */
export function NewButton({ onClick, may: operation, children }: NewButtonProps) {
  const may = useMay();
  if (!may(operation)) return null;
  return (
    <button type="button" className="btn go" onClick={onClick}>
      <Plus size={14} /> {children}
    </button>
  );
}
