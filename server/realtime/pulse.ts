/** Beats from `begin` on, until it is told that there is no more need. */
export function createPulse(everyMs: number, beat: () => boolean): { begin(): void } {
  let timer: NodeJS.Timeout | undefined;
  function next(): void {
    timer = beat() ? setTimeout(next, everyMs).unref() : undefined;
  }
  return { begin: () => void (timer ??= setTimeout(next, everyMs).unref()) };
}
