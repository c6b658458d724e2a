import type { Page } from "playwright-core";

/** Records the end of the last task over 50 ms, which would delay a click. Text, because it runs in the page. */
export const watchLongTasks = `
  globalThis.lastLongTaskEnd = 0;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      globalThis.lastLongTaskEnd = Math.max(globalThis.lastLongTaskEnd, startTime + duration);
  }).observe({ type: "longtask", buffered: true });
`;

const QUIET_MS = 500;

/**
 * Milliseconds from the start of the navigation until the awaited element is visible and no long task follows within
 * half a second.
 */
export async function usableAfterMs(page: Page): Promise<number> {
  const shown = await page.evaluate<number>("performance.now()");
  await page.waitForTimeout(QUIET_MS);
  return Math.max(shown, await page.evaluate<number>("globalThis.lastLongTaskEnd"));
}
