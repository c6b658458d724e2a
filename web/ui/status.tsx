const TONES: Record<string, "run" | "ok" | "bad" | "wait"> = {
  running: "run",
  active: "run",
  processing: "run",
  completed: "ok",
  indexed: "ok",
  accepted: "ok",
  failed: "bad",
  rejected: "bad",
  waiting: "wait",
  waiting_approval: "wait",
};
const LABELS: Record<string, string> = { waiting_approval: "Waiting for approval", cancelled: "Canceled" };

export function toneOf(status: string | undefined): string {
  return status === undefined ? "" : (TONES[status] ?? "");
}

export function statusLabel(status: string): string {
  const words = status.replaceAll("_", " ");
  return LABELS[status] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

export function StatusChip({ status, children }: { status: string; children?: React.ReactNode }) {
  return (
    <span className={`chip dot ${toneOf(status)}`} data-status={status}>
      {statusLabel(status)}
      {children}
    </span>
  );
}
