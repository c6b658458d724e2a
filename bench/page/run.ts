// `npm run bench:page`: download size, time until usable and panning frame rate of the page, in a real Chromium.
// It prints figures and asserts nothing, because they depend on the machine.
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { createApp } from "../../server/app.ts";
import { readConfig } from "../../server/config.ts";
import { launchBrowser } from "../../test/browser/support/browser.ts";
import { weigh } from "../../test/browser/support/weight.ts";
import { signIn } from "../service-client.ts";
import { panFrames } from "./pan-frames.ts";
import { watchLongTasks, usableAfterMs } from "./usable-after.ts";

const VISITS = 7;
const STEPS = 500;

function tree(): object {
  const steps = Array.from({ length: STEPS }, (_, index) => ({
    stepId: `s${index}`,
    type: "transform",
    name: `Step number ${index}`,
    template: "{{input.value}}",
  }));
  const edges = steps.slice(1).map(({ stepId }, index) => ({
    id: `e${index}`,
    source: `s${Math.floor(index / 3)}`,
    target: stepId,
  }));
  return { steps, edges };
}

/** A signed-in page in a new profile with an empty cache. */
async function visit(browser: Browser, base: string, token: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(watchLongTasks);
  await page.addInitScript(`localStorage.setItem("baton.token", ${JSON.stringify(token)})`);
  await page.goto(`${base}/theme.js`);
  return page;
}

async function usable(
  browser: Browser,
  base: string,
  token: string,
  path: string,
  ready: string,
): Promise<string> {
  const times: number[] = [];
  for (let count = 0; count < VISITS; count += 1) {
    const page = await visit(browser, base, token);
    await page.goto(`${base}${path}`, { waitUntil: "commit" });
    await page.locator(ready).first().waitFor();
    times.push(await usableAfterMs(page));
    await page.context().close();
  }
  times.sort((a, b) => a - b);
  return `${Math.round(times[Math.floor(VISITS / 2)] ?? 0)} / ${Math.round(times.at(-1) ?? 0)} ms`;
}

const folder = await mkdtemp(join(tmpdir(), "baton-bench-page-"));
const app = await createApp(readConfig({ DATA_DIR: folder, PORT: "0", LOG_LEVEL: "silent" }));
const base = await app.listen();
app.start();
const browser = await launchBrowser();
try {
  const client = await signIn(base);
  const token = (client.login["authorization"] ?? "").slice("Bearer ".length);
  const small = { steps: [{ stepId: "a", type: "transform", template: 1 }], edges: [] };
  const smallId = await client.publish("Small", small, true);
  const largeId = await client.publish("Large", tree(), true);
  console.log(`load ${loadavg()[0]?.toFixed(1)} before\n`);

  const page = await visit(browser, base, token);
  const weight = weigh(page);
  await page.goto(`${base}/workflows`);
  await page.getByRole("link", { name: "Small" }).waitFor();
  const first = weight.total();
  await page.goto(`${base}/workflows/${smallId}`);
  await page.locator(".react-flow__node").first().waitFor();
  console.log(`first screen, scripts and styles with gzip: ${(first / 1000).toFixed(0)} kB`);
  console.log(`the builder adds: ${((weight.total() - first) / 1000).toFixed(0)} kB`);
  await page.context().close();

  const reads: [what: string, path: string, ready: string][] = [
    ["the list of workflows", "/workflows", "tbody tr"],
    ["the builder", `/workflows/${smallId}`, ".react-flow__node"],
    [`the builder with ${STEPS} steps`, `/workflows/${largeId}`, ".react-flow__node"],
  ];
  for (const [what, path, ready] of reads)
    console.log(
      `${what}, cold, usable after (median / worst of ${VISITS}): ${await usable(browser, base, token, path, ready)}`,
    );

  const canvas = await visit(browser, base, token);
  await canvas.goto(`${base}/workflows/${largeId}`);
  await canvas.locator(".react-flow__node").first().waitFor();
  await canvas.getByRole("button", { name: "Fit View" }).click();
  console.log(`panning ${STEPS} steps, all visible: ${await panFrames(canvas)}`);
  for (let click = 0; click < 6; click += 1) await canvas.getByRole("button", { name: "Zoom In" }).click();
  console.log(`panning ${STEPS} steps, one screen visible: ${await panFrames(canvas)}`);
  console.log(`\nload ${loadavg()[0]?.toFixed(1)} after`);
} finally {
  await browser.close();
  await app.close();
  await rm(folder, { recursive: true, force: true });
}
