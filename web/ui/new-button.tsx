import { Plus } from "lucide-react";
import type { ReactNode } from "react";

/** The button in the top bar of a list that creates an item. */
export function NewButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className="btn go" onClick={onClick}>
      <Plus size={14} /> {children}
    </button>
  );
}
