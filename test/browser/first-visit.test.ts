import { expect, test } from "vitest";
import { checkScreen, saveToken, useVisits } from "./support/visit.ts";

const visit = useVisits();

test("a stranger makes an account, runs a starter with one click and approves what it asks", async () => {
  const page = await visit.open("/");
  await page.getByRole("button", { name: "New here? Create an account" }).click();
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Password").fill("a long password");
  await checkScreen(page, "sign-in");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("Start with a template").waitFor();
  expect(await page.getByRole("button", { name: /^Run [A-Z]/ }).count()).toBe(3);
  await checkScreen(page, "first-run");

  await page.getByRole("button", { name: "Run Approval before publishing" }).click();
  await page.getByText("Waiting for your decision").waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/runs\/task_/);
  await page.getByLabel("Comment").fill("Looks right.");
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.locator(".top [data-status=completed]").waitFor();
  await page.locator(".react-flow__node[data-id=publish]").click();
  await page.getByText("published/post.md").first().waitFor();
});

test("a wrong password is told as a sentence, and the page stays where it was", async () => {
  const user = await visit.register("grace");
  const page = await visit.open("/runs");
  await page.getByLabel("E-mail").fill(user.email);
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Password").fill(user.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("No runs yet").waitFor();
  await page.reload();
  await page.getByText("No runs yet").waitFor();
});

test("a login that has run out leads to the sign-in and back to the same address", async () => {
  const user = await visit.register("joan");
  const page = await visit.open("/runs?status=failed", { user });
  await page.getByText("No matching runs").waitFor();
  await saveToken(page, "worn out");
  await page.reload();
  await page.getByLabel("E-mail").fill(user.email);
  await page.getByLabel("Password").fill(user.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("No matching runs").waitFor();
  expect(page.url()).toContain("/runs?status=failed");
  expect(page.url()).not.toContain("token");
});

test("another person who signs in in another tab sees nothing of the first in either", async () => {
  const [first, second] = [await visit.register("first"), await visit.register("second")];
  await first.post("/api/workflows", { name: "Only for the first" });
  const page = await visit.open("/workflows", { user: first });
  await page.getByRole("link", { name: "Only for the first" }).waitFor();
  const other = await page.context().newPage();
  await other.goto(`${visit.base}/theme.js`);
  await saveToken(other, second.token);
  await page.getByText(second.email).waitFor();
  await page.getByText("Start with a template").waitFor();
  expect(await page.getByText("Only for the first").count()).toBe(0);
});

test("a page that is older than the service loads itself anew when a part of it is gone", async () => {
  const page = await visit.open("/workflows", { user: await visit.register() });
  await page.getByText("Start with a template").waitFor();
  const part = /\/assets\/variables-[^/]*\.js$/;
  // The route stays: taken away in the middle of a navigation, it held that up now and then.
  let isGone = true;
  await page.route(part, (route) => {
    const answer = isGone ? route.fulfill({ status: 404, body: "" }) : route.continue();
    isGone = false;
    return answer;
  });
  await page.evaluate("globalThis.isOldPage = true");
  await page.getByRole("link", { name: "Variables" }).click();
  await page.getByText("No variables yet").waitFor();
  expect(await page.evaluate("globalThis.isOldPage")).toBeUndefined();
  expect(new URL(page.url()).pathname).toBe("/variables");
});

test("the keyboard goes anywhere, and the chosen theme stays", async () => {
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
  await page.getByRole("button", { name: "Dark" }).click();
  await page.reload();
  expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
});

test("nothing of the page may run inline, and a browser that is kept out says so", async () => {
  const answer = await fetch(`${visit.base}/workflows`);
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(/script-src ([^;]*)/.exec(policy)?.[1]).toBe("'self'");
  expect(await answer.text()).not.toMatch(/<script(?![^>]*\ssrc=)/);
  expect((await fetch(`${visit.base}/no-such-screen`)).headers.get("content-type")).toContain("json");
});
