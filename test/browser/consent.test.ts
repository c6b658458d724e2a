import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { allow, authorizationQuery, createPkce, postForm, registerClient } from "../support/oauth.ts";
import { checkScreen, confirm, findingsInOtherTheme, saveToken, useVisits } from "./support/visit.ts";

const visit = useVisits();

const urlOf = (query: Record<string, string>) =>
  `${visit.base}/oauth/authorize?${new URLSearchParams(query).toString()}`;

/** The client's page, to which the browser returns. */
async function openApp(page: Page): Promise<void> {
  await page.route("https://app.example/**", (route) => route.fulfill({ body: "Connected" }));
}

test("a user signs in, sees the app and its redirect address, allows it, and disconnects the app", async () => {
  const user = await visit.register("connector");
  const { client_id } = await registerClient(visit.app.anonymous, { client_name: "Claude" });
  const { verifier, challenge } = createPkce();
  const page = await visit.newPage();
  await openApp(page);
  await page.goto(urlOf(authorizationQuery(client_id, challenge)));
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();

  await page.getByRole("heading", { name: "Allow “Claude” to connect?" }).waitFor();
  await page.getByText("Nobody has checked it.").waitFor();
  await page.getByText("read all your workflow templates").waitFor();
  await page.getByText("app.example", { exact: true }).waitFor();
  await page.getByText(`${visit.base}/mcp`).waitFor();
  await page.getByText(user.email).waitFor();
  await checkScreen(page, "consent");
  expect(await findingsInOtherTheme(page)).toEqual([]);

  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await page.waitForURL("https://app.example/callback?*");
  const parameters = new URL(page.url()).searchParams;
  expect([parameters.get("state"), parameters.get("iss")]).toEqual(["state-1", visit.base]);
  const issued = await postForm(
    visit.app.anonymous,
    "/oauth/token",
    {
      grant_type: "authorization_code",
      client_id,
      code: parameters.get("code") ?? "",
      code_verifier: verifier,
    },
    { host: new URL(visit.base).host },
  );
  expect(issued.status).toBe(200);

  await page.goto(`${visit.base}/settings/connected-apps`);
  await page.getByRole("cell", { name: "Claude" }).waitFor();
  await checkScreen(page, "connected-apps");
  expect(await findingsInOtherTheme(page)).toEqual([]);
  await page.getByRole("button", { name: "Disconnect" }).click();
  await confirm(page, "Disconnect");
  await page.getByRole("heading", { name: "No connected apps" }).waitFor();
  expect((await user.get("/api/connected-apps")).body.apps).toEqual([]);
});

test("a refusal goes back to the app, and a request with a foreign address goes nowhere", async () => {
  const user = await visit.register("refuser");
  const { client_id } = await registerClient(visit.app.anonymous, { client_name: "Claude" });
  const query = authorizationQuery(client_id, createPkce().challenge);
  const page = await visit.newPage({ width: 390 });
  await openApp(page);
  await page.goto(`${visit.base}/theme.js`);
  await saveToken(page, user.token);

  await page.goto(urlOf({ ...query, redirect_uri: "https://evil.example/callback" }));
  await page.getByRole("heading", { name: "This app cannot connect" }).waitFor();
  await page.getByText("is not one that this app has registered").waitFor();
  expect(await page.getByRole("button").count()).toBe(0);
  await checkScreen(page, "consent-refused");

  await page.goto(urlOf({ ...query, code_challenge_method: "plain" }));
  await page.getByText("PKCE is required").waitFor();
  expect(new URL(page.url()).origin).toBe(visit.base);
  await page.getByRole("button", { name: "Return to app.example" }).click();
  await page.waitForURL("https://app.example/callback?error=invalid_request&*");

  await page.goto(urlOf(query));
  await page.getByRole("heading", { name: "Allow “Claude” to connect?" }).waitFor();
  await checkScreen(page, "consent-narrow");
  await page.getByRole("button", { name: "Deny" }).click();
  await page.waitForURL("https://app.example/callback?error=access_denied&*");
  expect((await allow(user, query)).has("code")).toBe(true);
});
