import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { seriousFindings, useVisits } from "./support/visit.ts";

const visit = useVisits();
let used: Page;
let events = 0;

test("a test changes its page in every way that tests do", async () => {
  used = await visit.newPage();
  await used.goto(`${visit.base}/theme.js`);
  used.on("request", () => void (events += 1));
  used.on("response", () => void (events += 1));
  await used.route("**/health", (route) => route.abort());
  await used.addInitScript("globalThis.leaked = true;");
  await used.setExtraHTTPHeaders({ "x-leaked": "true" });
  const context = used.context();
  await context.newPage();
  await context.addCookies([{ name: "leaked", value: "true", url: visit.base }]);
  await used.evaluate("localStorage.setItem('leaked', '1'); sessionStorage.setItem('leaked', '1');");
  await context.setOffline(true);
});

test("the next test gets the same page without these changes", async () => {
  const page = await visit.newPage();
  expect(page === used).toBe(true);
  events = 0;
  const response = await page.goto(`${visit.base}/theme.js`);
  expect({
    pages: page.context().pages().length,
    events,
    health: await page.evaluate("fetch('/health').then(({ status }) => status, () => 'blocked')"),
    leaked: await page.evaluate("typeof leaked"),
    header: (await response?.request().allHeaders())?.["x-leaked"],
    cookies: await page.context().cookies(),
    stored: await page.evaluate("[localStorage.length, sessionStorage.length]"),
    isOnline: await page.evaluate("navigator.onLine"),
  }).toEqual({
    pages: 1,
    events: 0,
    health: 200,
    leaked: "undefined",
    header: undefined,
    cookies: [],
    stored: [0, 0],
    isOnline: true,
  });
});

test("serious and critical findings of axe are reported, lesser ones are not", async () => {
  const page = await visit.newPage();
  await page.goto(`${visit.base}/theme.js`);
  await page.evaluate(`document.documentElement.lang = "en"; document.title = "Page";
    document.body.innerHTML = '<h4>No main landmark</h4><button></button><button></button><p style="color: #ccc">Faint</p>';`);
  const rules = new Set((await seriousFindings(page)).map((finding) => finding.split(":")[0]));
  expect([...rules].toSorted()).toEqual(["button-name", "color-contrast", "target-size"]);
});
