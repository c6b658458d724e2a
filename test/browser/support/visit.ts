import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { createTestApp, type RegisteredUser, registerUser, type TestApp } from "../../support/test-app.ts";
import { launchBrowser } from "./browser.ts";

const shotFolder = fileURLToPath(new URL("../../../docs/screenshots/", import.meta.url));

export interface Visit {
  app: TestApp;
  base: string;
  /** A new browser profile, logged in when a user is given. */
  open(path: string, options?: VisitOptions): Promise<Page>;
  register(name?: string): Promise<RegisteredUser>;
}

export interface VisitOptions {
  user?: RegisteredUser;
  width?: number;
  theme?: "light" | "dark";
}

const HEIGHTS: Record<number, number> = { 390: 844, 1024: 768 };

/** The whole service and a real browser for the tests of one file. A fault in the page fails the test that saw it. */
export function useVisits(settings: Record<string, string> = {}): Visit {
  const visit = {} as Visit;
  let browser: Browser;
  let contexts: BrowserContext[] = [];
  let faults: string[] = [];

  beforeAll(async () => {
    const app = await createTestApp(settings);
    visit.app = app;
    visit.base = await app.listen();
    browser = await launchBrowser();
  });
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    contexts = [];
    const seen = faults;
    faults = [];
    expect(seen).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await visit.app.close();
  });

  visit.register = (name) => registerUser(visit.app, name);
  visit.open = async (path, { user, width = 1440, theme = "light" } = {}) => {
    const context = await browser.newContext({
      viewport: { width, height: HEIGHTS[width] ?? 900 },
      colorScheme: theme,
      reducedMotion: "reduce",
      permissions: ["clipboard-read", "clipboard-write"],
      acceptDownloads: true,
    });
    contexts.push(context);
    context.setDefaultTimeout(15_000);
    const page = await context.newPage();
    page.on("pageerror", (error) => faults.push(`${path}: ${error.message}`));
    page.on("console", (message) => {
      // The browser itself notes every refused request; the page's own words about it are what counts.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
        faults.push(`${path}: ${message.text()}`);
    });
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol.startsWith("http") && origin !== visit.base) faults.push(`${path}: asked ${origin}`);
    });
    if (user !== undefined) {
      await page.goto(`${visit.base}/theme.js`);
      await keepToken(page, user.token);
    }
    await page.goto(`${visit.base}${path}`);
    return page;
  };
  return visit;
}

/** Everything axe calls serious or worse, by rule and place; an accessible screen gives an empty list. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // Through the debugger: a script element would be stopped by the policy, as it should be.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    'axe.run({ resultTypes: ["violations"] })',
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string }[];
}

/** As text, because these files are checked with the types of Node, where there is no `localStorage`. */
export async function keepToken(page: Page, token: string): Promise<void> {
  await page.evaluate(`localStorage.setItem("baton.token", ${JSON.stringify(token)})`);
}

/** The pictures of docs/ are made by the tests themselves, when they are asked to: `BATON_SCREENSHOTS=1`. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env["BATON_SCREENSHOTS"] === undefined) return;
  mkdirSync(shotFolder, { recursive: true });
  await page.screenshot({ path: `${shotFolder}${name}.png` });
}
