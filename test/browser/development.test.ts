import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createServer, type ViteDevServer } from "vite";
import { proxyTo } from "../../web/vite.config.ts";
import { pathWithIds, screens, seedScreens } from "./support/screens.ts";
import { useVisits } from "./support/visit.ts";

const visit = useVisits();
let cacheDir: string;
let vite: ViteDevServer;

/** The page as `npm run dev` serves it, in front of the service under test. */
beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), "baton-vite-"));
  vite = await createServer({
    configFile: fileURLToPath(new URL("../../web/vite.config.ts", import.meta.url)),
    cacheDir,
    logLevel: "silent",
    server: { host: "127.0.0.1", port: 0, hmr: false, proxy: proxyTo(visit.base) },
  });
  await vite.listen();
});
afterAll(async () => {
  await vite.close();
  await rm(cacheDir, { recursive: true, force: true });
});

function developmentUrl(path: string): string {
  return new URL(path, vite.resolvedUrls?.local[0]).href;
}

/** Collects contract mismatches instead of failing the test on them. */
async function openInDevelopment(token: string): Promise<{ page: Page; mismatches: string[] }> {
  const page = await visit.newPage();
  const mismatches: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("does not match the contract schema")) mismatches.push(message.text());
  });
  // The dev server bundles the dependencies before it sends the first page.
  page.setDefaultNavigationTimeout(60_000);
  await page.addInitScript(`localStorage.setItem("baton.token", ${JSON.stringify(token)})`);
  return { page, mismatches };
}

test("in development the responses on every screen match their contract schemas", async () => {
  const user = await visit.register("developer");
  const ids = await seedScreens(user);
  const { page, mismatches } = await openInDevelopment(user.token);
  await page.goto(developmentUrl("/workflows"));
  for (const [path, ready] of screens) {
    // Client-side navigation: the dev server does not send all modules again.
    await page.evaluate(`history.pushState(null, "", ${JSON.stringify(pathWithIds(path, ids))})`);
    await page.locator(ready).first().waitFor();
  }
  expect(mismatches).toEqual([]);
});

test("in development a response that does not match its contract schema is shown on the screen", async () => {
  const user = await visit.register("mismatch");
  const { page, mismatches } = await openInDevelopment(user.token);
  await page.route(/\/api\/keys\?/, (route) =>
    route.fulfill({ json: { ok: true, keys: [{ id: 1 }], nextCursor: null } }),
  );
  await page.goto(developmentUrl("/settings/api-keys"));
  await page.getByRole("alert").getByText('does not match the contract schema "keys"').waitFor();
  expect(mismatches[0]).toContain("keys.0.id: ");
});
