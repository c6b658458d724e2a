const SHOWN = 6;

/** A short name of a run: the end of its id, which is random. */
export function runLabel(taskId: string): string {
  return `#${taskId.slice(-SHOWN)}`;
}

/**
 * The version that a run used: "v14", or "Draft" for a snapshot of a draft, which has a negative number. Before its first
 * publish a workflow has version 0, which has no steps.
 */
export function versionLabel(version: number): string {
  if (version === 0) return "Not published";
  return version < 0 ? "Draft" : `v${version}`;
}
