import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { totpCode, totpStepAt } from "../../server/security/totp.ts";
import { startMailServer } from "../support/mail-server.ts";
import { startOidcProvider } from "../support/oidc-provider.ts";
import { findingsInOtherTheme, seriousFindings, useVisits } from "./support/visit.ts";

/** The address is part of the provider's settings, so the port is chosen before the service starts. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const mail = await startMailServer();
const provider = await startOidcProvider(`${origin}/login/callback`);
afterAll(async () => {
  await mail.close();
  await provider.close();
});

let offsetMs = 0;
const clock = { now: () => Date.now() + offsetMs, monotonic: () => performance.now() + offsetMs };
const visit = useVisits(
  {
    PORT: String(port),
    PUBLIC_URL: origin,
    SMTP_URL: mail.url,
    SMTP_FROM: "Baton <baton@example.com>",
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: "baton",
    OIDC_CLIENT_SECRET: "hush-hush-provider",
    OIDC_BUTTON_LABEL: "Example SSO",
  },
  () => ({ clock }),
);

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function linkTo(path: string, email: string): Promise<string> {
  const find = () =>
    mail.received
      .filter(({ to }) => to.includes(email))
      .map(({ raw }) => raw.replaceAll("=\r\n", "").replaceAll("=3D", "="))
      .flatMap((raw) => raw.match(new RegExp(`http://\\S+${path}#token=\\S+`, "g")) ?? [])[0];
  await expect.poll(find).toBeDefined();
  return find()!;
}

const hasNoFindings = async (page: Page): Promise<void> => {
  expect(await seriousFindings(page)).toEqual([]);
  expect(await findingsInOtherTheme(page)).toEqual([]);
};

test("two-factor authentication is set up with a QR code, asks for a code at the next login, and is turned off", async () => {
  const user = await visit.register("careful");
  const page = await visit.open("/settings/security", { user });
  await page.getByRole("button", { name: "Set up" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
  await hasNoFindings(page);
  const secret = (await dialog.locator("code").innerText()).replaceAll(" ", "");
  const code = (): string => totpCode(secret, totpStepAt(clock.now()));
  await dialog.getByLabel("Code", { exact: true }).fill("000000");
  await dialog.getByLabel("Password", { exact: true }).fill(user.password);
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await dialog.getByText("This code is wrong").waitFor();
  await dialog.getByLabel("Code", { exact: true }).fill(code());
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await page.getByText("Save your recovery codes").waitFor();
  await hasNoFindings(page);
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download" }).click();
  expect((await downloading).suggestedFilename()).toBe("baton-recovery-codes.txt");
  const [recoveryCode = ""] = (await dialog.locator("pre").innerText()).split("\n");
  await dialog.getByRole("button", { name: "I have saved them" }).click();
  await page.getByText("Recovery codes left: 10").waitFor();
  await hasNoFindings(page);

  const other = await visit.open("/settings/security");
  await signIn(other, user.email, user.password);
  await other.getByRole("heading", { name: "Enter your code" }).waitFor();
  await hasNoFindings(other);
  await other.getByLabel("Code", { exact: true }).fill(recoveryCode);
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByText("Recovery codes left: 9").waitFor();

  offsetMs += 60_000;
  await other.getByRole("button", { name: "Turn off" }).click();
  const question = other.getByRole("dialog");
  await question.getByLabel("Code", { exact: true }).fill(code());
  await question.getByLabel("Password", { exact: true }).fill(user.password);
  await question.getByRole("button", { name: "Turn off" }).click();
  await other.getByRole("button", { name: "Set up" }).waitFor();
});

test("a forgotten password is replaced with a mailed link", async () => {
  const user = await visit.register("forgetful");
  const page = await visit.open("/");
  await page.getByRole("button", { name: "Forgot password?" }).click();
  await hasNoFindings(page);
  await page.getByLabel("Email").fill(user.email);
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByText("a mail with a link is on its way").waitFor();

  const link = await linkTo("/reset-password", user.email);
  await page.goto(link);
  await page.getByRole("heading", { name: "Choose a new password" }).waitFor();
  await hasNoFindings(page);
  await page.getByLabel("New password").fill("a much better passphrase");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Password changed.").waitFor();
  await signIn(page, user.email, "a much better passphrase");
  await page.getByRole("heading", { name: "Home" }).waitFor();

  const again = await visit.open("/");
  await again.goto(link);
  await again.getByLabel("New password").fill("yet another passphrase");
  await again.getByRole("button", { name: "Change password" }).click();
  await again.getByText("This link has expired or was used before.").waitFor();
});

test("a banner asks for the confirmation of the address until the mailed link was opened", async () => {
  const user = await visit.register("new");
  const page = await visit.open("/", { user });
  await page.getByText("Confirm your email address").waitFor();
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("A new link is on its way").waitFor();
  await hasNoFindings(page);
  await page.goto(await linkTo("/confirm-email", user.email));
  await hasNoFindings(page);
  await page.getByRole("button", { name: "Confirm address" }).click();
  await page.getByRole("link", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await expect.poll(() => page.getByText("Confirm your email address").count()).toBe(0);
});

test("a login with the provider returns to the wanted screen, and a forged response says what to do", async () => {
  provider.accounts["sso-user"] = { email: "sso@example.com", email_verified: true, name: "Sol Ono" };
  provider.subject = "sso-user";
  const page = await visit.newPage();
  await page.goto(origin);
  // An earlier test may have used this profile.
  await page.evaluate("localStorage.clear()");
  await page.goto(`${origin}/settings/security`);
  await page.getByRole("button", { name: "Continue with Example SSO" }).waitFor();
  await hasNoFindings(page);
  await page.getByRole("button", { name: "Continue with Example SSO" }).click();
  await page.getByText("You sign in with the login provider of your organization").waitFor();
  expect(new URL(page.url()).pathname).toBe("/settings/security");
  await hasNoFindings(page);

  await page.evaluate("localStorage.clear()");
  await page.goto(`${origin}/login/callback?code=forged&state=forged`);
  await page.getByRole("heading", { name: "Sign-in failed" }).waitFor();
  await hasNoFindings(page);
  await page.getByRole("link", { name: "Back to sign in" }).click();
  await page.getByRole("button", { name: "Continue with Example SSO" }).waitFor();
});

test("the link of an invitation offers the provider, which creates the account", async () => {
  const admin = await visit.register("inviter");
  await visit.app.sql(`update account set is_administrator = 1 where email = '${admin.email}'`);
  const { url } = (await admin.post("/api/admin/invitations", { email: "invited@example.com" })).body;
  provider.accounts["invited"] = { email: "invited@example.com", email_verified: true, name: "Ina Vite" };
  provider.subject = "invited";
  const page = await visit.newPage();
  // An earlier test may have used this profile, here and at the provider.
  await page.context().clearCookies();
  await page.goto(origin);
  await page.evaluate("localStorage.clear()");
  await page.goto(url);
  await page.getByRole("heading", { name: "Create account" }).waitFor();
  await page.getByRole("button", { name: "Continue with Example SSO" }).waitFor();
  await hasNoFindings(page);
  await page.getByRole("button", { name: "Continue with Example SSO" }).click();
  await page.getByRole("heading", { name: "Home" }).waitFor();
  expect((await admin.get("/api/admin/invitations")).body.invitations).toEqual([]);
});

test("the logins are listed, and another one is ended", async () => {
  const user = await visit.register("everywhere");
  const { email, password } = user;
  const headers = { "user-agent": "curl/8.0" };
  await visit.app.anonymous.post("/api/auth/login", { email, password }, headers);
  const page = await visit.open("/settings/security", { user });
  const logins = page.getByRole("region", { name: "Logins" });
  await logins.getByRole("button", { name: "End login" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End login" }).click();
  await expect.poll(() => logins.getByText("curl/8.0").count()).toBe(0);
  expect((await user.get("/api/auth/sessions")).body.sessions).toHaveLength(1);
});
