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
const WORDS: Record<string, string> = { waiting_approval: "waiting for approval" };

export function toneOf(status: string | undefined): string {
  return status === undefined ? "" : (TONES[status] ?? "");
}

export function statusWord(status: string): string {
  return WORDS[status] ?? status.replaceAll("_", " ");
}

/** A status is always a word and a colour. */
export function StatusChip({ status, children }: { status: string; children?: React.ReactNode }) {
  return (
    <span className={`chip dot ${toneOf(status)}`} data-status={status}>
      {statusWord(status)}
      {children}
    </span>
  );
}
