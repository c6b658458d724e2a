import type { Page } from "playwright-core";

/** Notes when each task of more than 50 ms ended: while one runs, a click waits. As text: it runs in the page. */
export const watchLongTasks = `
  globalThis.lastLongTaskEnd = 0;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      globalThis.lastLongTaskEnd = Math.max(globalThis.lastLongTaskEnd, startTime + duration);
  }).observe({ type: "longtask", buffered: true });
`;

const QUIET_MS = 500;

/**
 * Milliseconds from the beginning of the navigation until what was waited for is there and no long task follows it
 * for half a second.
 */
export async function usableAfterMs(page: Page): Promise<number> {
  const shown = await page.evaluate<number>("performance.now()");
  await page.waitForTimeout(QUIET_MS);
  return Math.max(shown, await page.evaluate<number>("globalThis.lastLongTaskEnd"));
}
