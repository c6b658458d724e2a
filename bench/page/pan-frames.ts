import type { Page } from "playwright-core";

const SECONDS = 3;
const MOVE_EVERY_MS = 8;

/** Records the time of every frame while the mouse drags the canvas in circles. Text, because it runs in the page. */
const COUNT_FRAMES = `new Promise((resolve) => {
  const times = [];
  const note = (now) => {
    times.push(now);
    if (now - times[0] < ${SECONDS * 1000}) requestAnimationFrame(note);
    else resolve(times);
  };
  requestAnimationFrame(note);
})`;

export async function panFrames(page: Page): Promise<string> {
  const pane = await page.locator(".react-flow__pane").boundingBox();
  if (pane === null) throw new Error("The canvas is not on the page.");
  const [x, y] = [pane.x + pane.width / 2, pane.y + pane.height - 40];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const counting = page.evaluate<number[]>(COUNT_FRAMES);
  let done = false;
  void counting.finally(() => (done = true));
  for (let turn = 0; !done; turn += 0.05) {
    await page.mouse.move(x + Math.sin(turn) * 160, y - 120 + Math.cos(turn) * 120);
    await page.waitForTimeout(MOVE_EVERY_MS);
  }
  await page.mouse.up();
  const times = await counting;
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  gaps.sort((a, b) => a - b);
  const took = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const at = (share: number): string => (gaps[Math.floor(gaps.length * share)] ?? 0).toFixed(1);
  return `${((gaps.length / took) * 1000).toFixed(1)} frames/s, a frame ${at(0.5)} ms at p50 and ${at(0.95)} ms at p95`;
}
