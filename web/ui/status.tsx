import { statusLabel } from "../flow/status-label.ts";

export { statusLabel };

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

export function toneOf(status: string | undefined): string {
  return status === undefined ? "" : (TONES[status] ?? "");
}

export function StatusChip({ status, children }: { status: string; children?: React.ReactNode }) {
  return (
    <span className={`chip dot ${toneOf(status)}`} data-status={status}>
      {statusLabel(status)}
      {children}
    </span>
  );
}
