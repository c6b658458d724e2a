const LABELS: Record<string, string> = { waiting_approval: "Waiting for approval", cancelled: "Canceled" };

/** The word of a status on the page. */
export function statusLabel(status: string): string {
  const words = status.replaceAll("_", " ");
  return LABELS[status] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
