import { expect, onTestFinished, test } from "vitest";
import { startMailServer } from "./support/mail-server.ts";
import { registerUser, type TestApp, useTestApp } from "./support/test-app.ts";

const tokenOf = (link: string): string => link.split("#invitation=")[1]!;
const register = (app: TestApp, email: string, invitation?: string) =>
  app.anonymous.post("/api/auth/register", { email, password: "a quite good one", invitation });

/** The first account registers while it can; later ones need an invitation. */
async function closedApp() {
  const open = await useTestApp();
  const ada = await registerUser(open, "ada");
  await open.stop();
  const app = await useTestApp({ ALLOW_REGISTRATION: "false" }, { dataDir: open.dataDir });
  const { token } = (
    await app.anonymous.post("/api/auth/login", { email: ada.email, password: ada.password })
  ).body;
  const headers = { authorization: `Bearer ${token}` };
  const invite = async (email?: string) =>
    (await app.anonymous.post("/api/admin/invitations", { email }, headers)).body;
  return { app, headers, invite };
}

async function withMail() {
  const mail = await startMailServer();
  onTestFinished(() => mail.close());
  const app = await useTestApp({
    SMTP_URL: mail.url,
    SMTP_FROM: "Baton <baton@example.com>",
    PUBLIC_URL: "https://baton.example.com",
  });
  const ada = await registerUser(app, "ada");
  const mailsTo = (address: string) =>
    mail.received
      .filter(({ to }) => to.includes(address))
      .map(({ raw }) => raw.replaceAll("=\r\n", "").replaceAll("=3D", "="));
  return { app, ada, mailsTo };
}

test("an invitation creates an account while registration is closed, once", async () => {
  const { app, headers, invite } = await closedApp();
  expect((await register(app, "ben@example.com")).body.error).toBe("registration_closed");
  const { invitation, url, mailed } = await invite();
  expect([invitation.email, mailed]).toEqual([null, false]);
  const token = tokenOf(url);
  const preview = await app.anonymous.post("/api/auth/invitation", { token });
  expect(preview.body).toEqual({ ok: true, email: null, expiresAt: invitation.expiresAt });
  const all = await Promise.all(
    ["ben", "cy", "dee"].map((name) => register(app, `${name}@example.com`, token)),
  );
  expect(all.map(({ status }) => status).toSorted()).toEqual([201, 400, 400]);
  expect(all.filter(({ body }) => body.error === "invalid_link")).toHaveLength(2);
  expect((await app.anonymous.post("/api/auth/invitation", { token })).body.error).toBe("invalid_link");
  expect((await app.anonymous.get("/api/admin/invitations", headers)).body.invitations).toEqual([]);
  expect(await app.sql("select token_hash from account_invitation")).toEqual([]);
});

test("[S22] an invitation for an address serves no other, and none after it was withdrawn", async () => {
  const { app, headers, invite } = await closedApp();
  const { invitation, url } = await invite("Ben@Example.com");
  expect(invitation.email).toBe("ben@example.com");
  const token = tokenOf(url);
  const other = await register(app, "eve@example.com", token);
  expect([other.status, other.body.error]).toEqual([403, "forbidden"]);
  expect((await register(app, "ben@example.com", `${token}x`)).body.error).toBe("invalid_link");
  const [stored] = await app.sql("select token_hash from account_invitation");
  expect(JSON.stringify(stored)).not.toContain(token);

  const { invitations } = (await app.anonymous.get("/api/admin/invitations", headers)).body;
  expect(invitations).toEqual([invitation]);
  const path = `/api/admin/invitations/${invitation.id}`;
  expect((await app.anonymous.delete(path, headers)).body).toEqual({ ok: true });
  expect((await app.anonymous.delete(path, headers)).body.error).toBe("invitation_not_found");
  expect((await register(app, "ben@example.com", token)).body.error).toBe("invalid_link");
});

test("an invitation expires after seven days", async () => {
  const { app, invite } = await closedApp();
  const { url } = await invite();
  await app.sql("update account_invitation set expires_at = 1");
  expect((await register(app, "ben@example.com", tokenOf(url))).body.error).toBe("invalid_link");
});

test("a taken address keeps the invitation", async () => {
  const { app, invite } = await closedApp();
  const [first, second] = [await invite(), await invite()];
  expect((await register(app, "ben@example.com", tokenOf(first.url))).status).toBe(201);
  expect((await register(app, "ben@example.com", tokenOf(second.url))).body.error).toBe("email_taken");
  expect((await register(app, "cy@example.com", tokenOf(second.url))).status).toBe(201);
});

test("with SMTP, invitations to the instance and to a workspace are mailed to their address", async () => {
  const { app, ada, mailsTo } = await withMail();
  const invited = (await ada.post("/api/admin/invitations", { email: "ben@example.com" })).body;
  expect(invited.mailed).toBe(true);
  expect(mailsTo("ben@example.com").join("")).toContain(invited.url);
  expect(invited.url).toMatch(/^https:\/\/baton\.example\.com\/register#invitation=[\w-]+$/);
  const refused = (await ada.post("/api/admin/invitations", { email: "nobody@example.com" })).body;
  expect([refused.mailed, refused.invitation.email]).toEqual([false, "nobody@example.com"]);

  const name = "Sales\r\n\r\nClick https://evil.example";
  const { id } = (await ada.post("/api/workspaces", { name })).body.workspace;
  const path = `/api/workspaces/${id}/invitations`;
  const member = (await ada.post(path, { role: "viewer", email: "cy@example.com" })).body;
  expect(member.mailed).toBe(true);
  const [mail = ""] = mailsTo("cy@example.com");
  expect(mail).toContain(member.url);
  expect(mail).toContain(`Workspace: "Sales Click https://evil.example"`);
  expect((await ada.post(path, { role: "viewer" })).body.mailed).toBe(false);
  expect(app.http.server.listening).toBe(false);
});

test("mails of a workspace are limited", async () => {
  const app = await useTestApp({ RATE_LIMIT_LOGIN_PER_MINUTE: "2" });
  const ada = await registerUser(app, "ada");
  const { id } = (await ada.post("/api/workspaces", { name: "Team" })).body.workspace;
  const invite = async () => (await ada.post(`/api/workspaces/${id}/invitations`, { role: "viewer" })).status;
  expect([await invite(), await invite(), await invite()]).toEqual([201, 201, 429]);
});
