import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { RunOptions } from "axe-core";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import {
  createTestApp,
  type RegisteredUser,
  registerUser,
  type TestApp,
  type TestAppOptions,
} from "../../support/test-app.ts";
import { launchBrowser } from "./browser.ts";

const screenshotFolder = fileURLToPath(new URL("../../../docs/screenshots/", import.meta.url));

export interface Visit {
  app: TestApp;
  base: string;
  /** Opens a path in its own browser profile, signed in when a user is given. */
  open(path: string, options?: VisitOptions): Promise<Page>;
  /** A page in its own browser profile, whose console errors do not fail the test. Each test gets it empty. */
  newPage(options?: VisitOptions): Promise<Page>;
  register(name?: string): Promise<RegisteredUser>;
}

export interface VisitOptions {
  user?: RegisteredUser;
  width?: number;
  theme?: "light" | "dark";
}

const HEIGHTS: Record<number, number> = { 390: 844, 1024: 768 };

/** One browser for all files of a test process, in which Playwright runs too: it ends with the process. */
let launched: Promise<Browser> | undefined;
/**
 * Pages of earlier tests, also of other files. They keep the cache and the compiled scripts of the page: opening one takes
 * half the CPU time.
 */
const idle: ReusablePage[] = [];
/** All apps of a process listen on the port of the first one: at another origin the pages would lose both. */
let port = "0";

/** Starts the service and a real browser for one test file. A console error or uncaught error fails the test. */
export function useVisits(
  settings: Record<string, string> = {},
  options: () => TestAppOptions | Promise<TestAppOptions> = () => ({}),
): Visit {
  const visit = {} as Visit;
  let browser: Browser;
  let used: ReusablePage[] = [];
  let pageErrors: string[] = [];

  beforeAll(async () => {
    Object.assign(visit, await listenOnSamePort(settings, await options()));
    browser = await (launched ??= launchBrowser());
  });
  afterEach(async () => {
    const reset = await Promise.all(used.map((page) => resetPage(page, visit.base)));
    idle.push(...reset.filter((page) => page !== undefined));
    used = [];
    const errors = pageErrors;
    pageErrors = [];
    expect(errors).toEqual([]);
  });
  afterAll(() => visit.app.close());

  visit.register = (name) => registerUser(visit.app, name);
  visit.newPage = async ({ width = 1440, theme = "light" } = {}) => {
    const reusable = idle.pop() ?? (await newReusablePage(browser));
    used.push(reusable);
    const { page } = reusable;
    await page.setViewportSize({ width, height: HEIGHTS[width] ?? 900 });
    await page.emulateMedia({ colorScheme: theme });
    return page;
  };
  visit.open = async (path, options = {}) => {
    const { user } = options;
    const page = await visit.newPage(options);
    page.on("pageerror", (error) => pageErrors.push(`${path}: ${error.message}`));
    page.on("console", (message) => {
      // The browser logs every failed request by itself.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
        pageErrors.push(`${path}: ${message.text()}`);
    });
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol.startsWith("http") && origin !== visit.base)
        pageErrors.push(`${path}: requested ${origin}`);
    });
    await page.addInitScript(startSession(visit.base, user?.token));
    await page.goto(`${visit.base}${path}`);
    return page;
  };
  return visit;
}

async function listenOnSamePort(
  settings: Record<string, string>,
  options: TestAppOptions,
): Promise<Pick<Visit, "app" | "base">> {
  const app = await createTestApp({ PORT: port, ...settings }, options);
  try {
    const base = await app.listen();
    ({ port } = new URL(base));
    return { app, base };
  } catch (error) {
    if (port === "0") throw error;
    // Another program has taken the port since the last file.
    await app.close();
    port = "0";
    await Promise.all(idle.splice(0).map(({ page }) => page.context().close()));
    return listenOnSamePort(settings, options);
  }
}

interface ReusablePage {
  /** The first page of its own browser profile. */
  page: Page;
  initScripts: { dispose(): Promise<void> }[];
}

async function newReusablePage(browser: Browser): Promise<ReusablePage> {
  const context = await browser.newContext({
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
    acceptDownloads: true,
  });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const initScripts: ReusablePage["initScripts"] = [];
  const addInitScript = page.addInitScript.bind(page);
  page.addInitScript = async (...args: Parameters<typeof addInitScript>) => {
    const script = await addInitScript(...args);
    initScripts.push(script);
    return script;
  };
  return { page, initScripts };
}

const PAGE_EVENTS = [
  "console",
  "dialog",
  "download",
  "pageerror",
  "popup",
  "request",
  "requestfailed",
  "requestfinished",
  "response",
] as const;

/** Removes everything that a test has left in the page and its profile. A page that fails to do so is closed. */
async function resetPage(reusable: ReusablePage, base: string): Promise<ReusablePage | undefined> {
  const { page, initScripts } = reusable;
  const context = page.context();
  try {
    for (const other of context.pages()) if (other !== page) await other.close();
    for (const event of PAGE_EVENTS) page.removeAllListeners(event);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await Promise.all(initScripts.splice(0).map((script) => script.dispose()));
    await page.setExtraHTTPHeaders({});
    await context.setOffline(false);
    await context.clearCookies();
    // A small document of the same origin: at another origin the page would move to a new process and lose its scripts.
    await page.goto(`${base}/theme.js`);
    await page.evaluate("localStorage.clear(); sessionStorage.clear();");
    // Otherwise the next document shows what is under the mouse as hovered.
    await page.mouse.move(-1, -1);
    return reusable;
  } catch {
    await context.close();
    return undefined;
  }
}

/** Signs in before the first document of the page loads; later documents keep what the page has stored. */
function startSession(base: string, token: string | undefined): string {
  return `if (location.origin === ${JSON.stringify(base)} && sessionStorage.getItem("test.started") === null) {
    ${token === undefined ? "" : `localStorage.setItem("baton.token", ${JSON.stringify(token)});`}
    sessionStorage.setItem("test.started", "true");
  }`;
}

/** Serious and critical findings of axe, by rule and element; an accessible screen has none. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // `target-size` of WCAG 2.2 is disabled by default.
  return findings(page, { rules: { "target-size": { enabled: true } } });
}

/** The same screen in the other theme. A theme is colours only, so only the rules about colours can differ. */
export async function findingsInOtherTheme(page: Page): Promise<string[]> {
  const toggle = `{ const { dataset } = document.documentElement;
    dataset.theme = dataset.theme === "dark" ? "light" : "dark"; }`;
  await page.evaluate(toggle);
  const found = await findings(page, { runOnly: ["color-contrast", "link-in-text-block"] });
  await page.evaluate(toggle);
  return found;
}

/** Half the size of the exported `source`, which each document that is checked has to parse. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** An expression: rules whose findings are never serious. */
const MINOR_RULES = `Object.fromEntries(axe._audit.rules
  .filter(({ impact }) => impact === "minor" || impact === "moderate")
  .map(({ id }) => [id, { enabled: false }]))`;

async function findings(page: Page, { rules, ...options }: RunOptions): Promise<string[]> {
  // Evaluated through the debugger: the Content-Security-Policy blocks script elements.
  if (!(await page.evaluate<boolean>('typeof axe === "object"'))) await page.evaluate(axeSource);
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run({ ...${JSON.stringify({ ...options, resultTypes: ["violations"] })},
      rules: { ...${MINOR_RULES}, ...${JSON.stringify(rules ?? {})} } })`,
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

/** Evaluated as text: these files are type-checked for Node, which has no `localStorage`. */
export async function saveToken(page: Page, token: string): Promise<void> {
  await page.evaluate(`localStorage.setItem("baton.token", ${JSON.stringify(token)})`);
}

/** Simulates dropping a file with the mouse: a browser cannot start a drag outside of its window. */
export async function dropFile(
  target: Locator,
  file: { name: string; type: string; content: string },
): Promise<void> {
  const data = await target.page().evaluateHandle(
    `(() => {
      const { name, type, content } = ${JSON.stringify(file)};
      const data = new DataTransfer();
      data.items.add(new File([content], name, { type }));
      return data;
    })()`,
  );
  for (const type of ["dragover", "drop"]) await target.dispatchEvent(type, { dataTransfer: data });
}

/** The text of a field with its placeholders in their stored form. */
export async function fieldText(field: Locator): Promise<string> {
  // The editor is loaded with the first field.
  await field.locator(".cm-line").first().waitFor();
  return field.evaluate((element: any) =>
    [...element.querySelectorAll(".cm-line")]
      .map((line: any) =>
        [...line.childNodes]
          .filter((node: any) => node.className !== "cm-placeholder")
          .map((node: any) => node.dataset?.placeholder ?? node.textContent)
          .join("")
          .replaceAll("\u200b", ""),
      )
      .join("\n"),
  );
}

/** The graph that the builder shows: the draft, or the live version while there is none. */
// oxlint-disable-next-line no-explicit-any
export async function savedGraph(user: RegisteredUser, workflowId: string): Promise<any> {
  const { draft } = (await user.get(`/api/workflows/${workflowId}/draft`)).body;
  return (draft ?? (await user.get(`/api/workflows/${workflowId}`)).body.workflow).metadata;
}

/** Waits until the service has the draft that the builder shows. */
export async function waitForSave(page: Page): Promise<void> {
  await page.locator("[data-save=saved]", { hasText: "Draft" }).waitFor();
}

/** Presses a button in the confirmation dialog. */
export async function confirm(page: Page, button: string): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name: button, exact: true }).click();
}

/** Presses a copy button and waits for its answer, which it shows for two seconds: a busy machine may miss it after the click. */
export async function copyWith(button: Locator, answer: Locator): Promise<void> {
  await Promise.all([answer.waitFor(), button.click()]);
}

/** Asserts that the current screen is accessible, and takes a screenshot when enabled. */
export async function checkScreen(page: Page, name: string): Promise<void> {
  expect(await seriousFindings(page)).toEqual([]);
  await takeScreenshot(page, name);
}

/** `BATON_SCREENSHOTS=1` makes the tests write the screenshots of docs/. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (process.env["BATON_SCREENSHOTS"] === undefined) return;
  mkdirSync(screenshotFolder, { recursive: true });
  await page.screenshot({ path: `${screenshotFolder}${name}.png` });
}
