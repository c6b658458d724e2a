import { X } from "lucide-react";

/** At the right of a panel's header. */
export function ClosePanelButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      className="btn ghost icon"
      aria-label="Close panel"
      title="Close (Esc)"
      onClick={onClick}
    >
      <X size={16} />
    </button>
  );
}
