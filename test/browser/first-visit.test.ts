import { expect, test } from "vitest";
import { stepNode } from "./support/builder.ts";
import { checkScreen, saveToken, useVisits } from "./support/visit.ts";

const visit = useVisits();

test("a new user creates an account, runs a template with one click and approves its step", async () => {
  const page = await visit.open("/");
  // Nobody has an account yet, so the screen begins with the first one.
  await page.getByRole("heading", { name: "Create account" }).waitFor();
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill("a long password");
  await checkScreen(page, "sign-in");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("Start with a template").waitFor();
  await expect.poll(() => page.getByRole("button", { name: /^Run [A-Z]/ }).count()).toBe(3);
  await checkScreen(page, "first-run");

  await page.getByRole("button", { name: "Run Approval before publishing" }).click();
  await page.getByText("Waiting for your decision").waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/runs\/task_/);
  await page.getByLabel("Comment").fill("Looks right.");
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.locator(".top [data-status=completed]").waitFor();
  await page.getByRole("radio", { name: "Graph" }).click();
  await stepNode(page, "publish").click();
  await page.getByText("published/post.md").first().waitFor();
});

test("once an account exists, the screen begins with signing in and still offers a new account", async () => {
  await visit.register("joan");
  const page = await visit.open("/");
  await page.getByRole("button", { name: "New here? Create an account" }).click();
  await page.getByRole("heading", { name: "Create account" }).waitFor();
});

test("signing in at /login leads to Home", async () => {
  const user = await visit.register("lin");
  const page = await visit.open("/login");
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Start with a template").waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
});

test("a wrong password shows a message, and the URL stays the same", async () => {
  const user = await visit.register("grace");
  const page = await visit.open("/runs");
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("No runs yet").waitFor();
  await page.reload();
  await page.getByText("No runs yet").waitFor();
});

test("an expired session leads to the sign-in and back to the same URL", async () => {
  const user = await visit.register("joan");
  const page = await visit.open("/runs?status=failed", { user });
  await page.getByText("No matching runs").waitFor();
  await saveToken(page, "expired");
  await page.reload();
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("No matching runs").waitFor();
  expect(page.url()).toContain("/runs?status=failed");
  expect(page.url()).not.toContain("token");
});

test("a second user who signs in in another tab sees no data of the first in either tab", async () => {
  const [first, second] = [await visit.register("first"), await visit.register("second")];
  await first.post("/api/workflows", { name: "Only for the first" });
  const page = await visit.open("/workflows", { user: first });
  await page.getByRole("link", { name: "Only for the first" }).waitFor();
  const other = await page.context().newPage();
  await other.goto(`${visit.base}/theme.js`);
  await saveToken(other, second.token);
  await page.getByText(second.email).waitFor({ state: "attached" });
  await page.getByText("Start with a template").waitFor();
  expect(await page.getByText("Only for the first").count()).toBe(0);
});

test("an outdated page reloads when one of its chunks no longer exists", async () => {
  const page = await visit.open("/workflows", { user: await visit.register() });
  await page.getByText("Start with a template").waitFor();
  const chunk = /\/assets\/variables-[^/]*\.js$/;
  // The route stays registered: removing it during a navigation sometimes blocked that navigation.
  let isMissing = true;
  await page.route(chunk, (route) => {
    const response = isMissing ? route.fulfill({ status: 404, body: "" }) : route.continue();
    isMissing = false;
    return response;
  });
  await page.evaluate("globalThis.isOutdatedPage = true");
  await page.getByRole("link", { name: "Variables" }).click();
  await page.getByText("No variables yet").waitFor();
  expect(await page.evaluate("globalThis.isOutdatedPage")).toBeUndefined();
  expect(new URL(page.url()).pathname).toBe("/variables");
});

test("the command palette opens any screen", async () => {
  const user = await visit.register();
  await user.post("/api/agent-teams", { name: "Refund squad" });
  const page = await visit.open("/workflows", { user });
  await page.getByText("Start with a template").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("refund");
  await page.getByRole("option", { name: "Refund squad" }).click();
  await page.getByRole("heading", { name: "Members" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("vari");
  await page.keyboard.press("Enter");
  await page.getByText("No variables yet").waitFor();
});

test("the theme follows the system until the user chooses one", async () => {
  const user = await visit.register();
  const page = await visit.open("/", { user });
  const theme = (name: string) => page.locator(`html[data-theme=${name}]`).waitFor({ state: "attached" });
  await theme("light");
  await page.emulateMedia({ colorScheme: "dark" });
  await theme("dark");
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("button", { name: "Light theme" }).click();
  await theme("light");
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByRole("button", { name: "Dark theme" }).click();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.emulateMedia({ colorScheme: "light" });
  await page.reload();
  await theme("dark");
});

test("a chosen theme outlasts a change of the system where the browser refuses storage", async () => {
  const user = await visit.register();
  const page = await visit.open("/", { user });
  const theme = () => page.locator("html").getAttribute("data-theme");
  await page.getByRole("button", { name: "Account" }).click();
  const toDark = page.getByRole("button", { name: "Dark theme" });
  await toDark.waitFor();
  // Only for the theme: requests that the page happens to send need its other values.
  await page.evaluate(`for (const method of ["getItem", "setItem"]) {
    const given = Storage.prototype[method];
    Storage.prototype[method] = function (key, value) {
      if (key === "baton.theme") throw new DOMException("The operation is insecure.", "SecurityError");
      return given.call(this, key, value);
    };
  }`);
  await toDark.click();
  await expect.poll(theme).toBe("dark");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.emulateMedia({ colorScheme: "light" });
  // The page has heard of the change in the frame before.
  await page.evaluate(
    "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))",
  );
  expect(await theme()).toBe("dark");
});

test("a wrong URL shows a page that leads back, and [ folds the rail", async () => {
  const user = await visit.register();
  const page = await visit.open("/no-such-screen", { user });
  await page.getByText("This page does not exist").waitFor();
  await page.getByRole("link", { name: "Go to Home" }).click();
  await page.getByRole("link", { name: "Workflows", exact: true }).waitFor();
  const label = page.locator(".rail .label", { hasText: "Approvals" });
  expect(await label.isVisible()).toBe(true);
  await page.keyboard.press("[");
  await label.waitFor({ state: "hidden" });
  await page.reload();
  await page.getByRole("link", { name: "Approvals" }).waitFor();
  expect(await label.isVisible()).toBe(false);
});

test("the Content-Security-Policy allows no inline script, and an unknown path returns JSON", async () => {
  const response = await fetch(`${visit.base}/workflows`);
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(/script-src ([^;]*)/.exec(policy)?.[1]).toBe("'self'");
  expect(await response.text()).not.toMatch(/<script(?![^>]*\ssrc=)/);
  expect((await fetch(`${visit.base}/no-such-screen`)).headers.get("content-type")).toContain("json");
});
