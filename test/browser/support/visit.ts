import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import { createTestApp, type RegisteredUser, registerUser, type TestApp } from "../../support/test-app.ts";

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
    browser = await chromium.connect(inject("browserAddress"));
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
  if (!(await page.evaluate<boolean>('typeof axe === "object"'))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    // The one rule of WCAG 2.2 that is off unless it is asked for: what is pressed must be large enough.
    'axe.run({ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } })',
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

/** Drops a file as a person does with the mouse; the browser's own dragging cannot begin outside of it. */
export async function dropFile(
  place: Locator,
  file: { name: string; type: string; content: string },
): Promise<void> {
  const data = await place.page().evaluateHandle(
    `(() => {
      const { name, type, content } = ${JSON.stringify(file)};
      const data = new DataTransfer();
      data.items.add(new File([content], name, { type }));
      return data;
    })()`,
  );
  for (const type of ["dragover", "drop"]) await place.dispatchEvent(type, { dataTransfer: data });
}

/** The text of a field, with its placeholders as they are stored. */
export async function fieldText(field: Locator): Promise<string> {
  return field.evaluate((element: any) =>
    [...element.childNodes]
      .map((node: any) => node.dataset?.placeholder ?? node.textContent)
      .join("")
      .replaceAll("\u200b", ""),
  );
}

/** What cannot be taken back asks once more. */
export async function confirm(page: Page, answer: string): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name: answer, exact: true }).click();
}

/** A look at what a person sees at this moment of a flow: it must be accessible, and it may become a picture. */
export async function picture(page: Page, name: string): Promise<void> {
  expect(await seriousFindings(page)).toEqual([]);
  await photograph(page, name);
}

/** The pictures of docs/ are made by the tests themselves, when they are asked to: `BATON_SCREENSHOTS=1`. */
export async function photograph(page: Page, name: string): Promise<void> {
  if (process.env["BATON_SCREENSHOTS"] === undefined) return;
  mkdirSync(shotFolder, { recursive: true });
  await page.screenshot({ path: `${shotFolder}${name}.png` });
}
