import { browserPath } from "./browser.ts";

/** Unpacks the browser before the test processes start it, so that no two of them do so at the same time. */
export async function setup(): Promise<void> {
  await browserPath();
}
