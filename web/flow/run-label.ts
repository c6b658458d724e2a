const SHOWN = 6;

/** A short name of a run: the end of its id, which is random. */
export function runLabel(taskId: string): string {
  return `#${taskId.slice(-SHOWN)}`;
}

/** The version that a run used: "v14", or "Draft" for a snapshot of a draft, which has a negative number. */
export function versionLabel(version: number): string {
  return version < 0 ? "Draft" : `v${version}`;
}
