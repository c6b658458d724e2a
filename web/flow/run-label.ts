const SHOWN = 6;

/** A short name of a run: the end of its id, which is random. */
export function runLabel(taskId: string): string {
  return `#${taskId.slice(-SHOWN)}`;
}
