/**
 * Resolves when no work is left, or none of it has changed for `idleMs`: a busy machine may need long for what a run has
 * queued, and lost work never changes.
 */
export async function untilSettled(
  openWork: () => Promise<readonly string[]>,
  idleMs: number,
): Promise<void> {
  let before = "";
  let since = performance.now();
  while (performance.now() - since < idleMs) {
    const open = (await openWork()).join(" ");
    if (open === "") return;
    if (open !== before) [before, since] = [open, performance.now()];
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
