import { expect, onTestFinished, test } from "vitest";
import { resetPassword } from "../server/operations/admin/reset-password.ts";
import { confirmEmail } from "../server/operations/admin/account-flags.ts";
import { startMailServer } from "./support/mail-server.ts";
import { operatorOf } from "./support/operator.ts";
import { registerUser, type TestApp, useTestApp } from "./support/test-app.ts";

/** A clock that a test moves. */
function testClock() {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    monotonic: () => performance.now() + offset,
    advance: (ms: number) => (offset += ms),
  };
}

const HOUR_MS = 3_600_000;
const newPassword = "a quite different one";

async function setUp(settings: Record<string, string> = {}) {
  const mail = await startMailServer();
  onTestFinished(() => mail.close());
  const clock = testClock();
  const app = await useTestApp(
    {
      SMTP_URL: mail.url,
      SMTP_FROM: "Baton <baton@example.com>",
      PUBLIC_URL: "https://baton.example.com",
      ...settings,
    },
    { clock },
  );
  const ada = await registerUser(app, "ada");
  /** The links to this page in the mails so far, once there are `count` of them. */
  async function linksTo(page: string, count = 1): Promise<string[]> {
    const links = () =>
      mail.received
        .map(({ raw }) => raw.replaceAll("=\r\n", "").replaceAll("=3D", "="))
        .flatMap((raw) => raw.match(new RegExp(`https://\\S+${page}#token=\\S+`, "g")) ?? []);
    await expect.poll(links).toHaveLength(count);
    return links();
  }
  return { app, ada, mail, clock, linksTo };
}

const tokenOf = (link: string): string => link.split("#token=")[1]!;
const forgot = (app: TestApp, email: string, headers?: Record<string, string>) =>
  app.anonymous.post("/api/auth/password/forgot", { email }, headers);
const reset = (app: TestApp, token: string, password = newPassword) =>
  app.anonymous.post("/api/auth/password/reset", { token, newPassword: password });
const logIn = async (app: TestApp, email: string, password: string) =>
  (await app.anonymous.post("/api/auth/login", { email, password })).status;

test("[S22] a mailed link sets a new password once and ends every login", async () => {
  const { app, ada, linksTo } = await setUp();
  const { status, body } = await forgot(app, ada.email.toUpperCase());
  expect([status, body]).toEqual([200, { ok: true }]);
  const [link = ""] = await linksTo("/reset-password");
  expect(link).toMatch(/^https:\/\/baton\.example\.com\/reset-password#token=[\w-]{43}$/);
  expect(JSON.stringify(await app.sql("select * from account_link"))).not.toContain(tokenOf(link));

  const weak = await reset(app, tokenOf(link), ada.email);
  expect([weak.status, weak.body.error]).toEqual([400, "weak_password"]);
  const both = await Promise.all([reset(app, tokenOf(link)), reset(app, tokenOf(link))]);
  expect(both.map((response) => response.body.error ?? "done").toSorted()).toEqual(["done", "invalid_link"]);
  expect((await ada.get("/api/auth/me")).body.error).toBe("invalid_token");
  expect(await logIn(app, ada.email, ada.password)).toBe(401);
  expect(await logIn(app, ada.email, newPassword)).toBe(200);
  // The link proves the mailbox, not the person.
  expect(
    await app.sql(
      "select actor_kind, target_id from audit_event where action = 'resetPassword' and outcome = 'succeeded'",
    ),
  ).toEqual([{ actor_kind: "anonymous", target_id: ada.user.id }]);
});

test("[S22] an unknown address gets the same response, and no mail", async () => {
  const { app, ada, mail, linksTo } = await setUp();
  const unknown = await forgot(app, "stranger@example.com");
  const known = await forgot(app, ada.email, { host: "evil.example" });
  expect(known.status).toBe(421);
  expect([unknown.status, unknown.body]).toEqual([200, { ok: true }]);
  expect((await forgot(app, ada.email)).body).toEqual(unknown.body);
  await linksTo("/reset-password");
  expect(mail.received.filter(({ to }) => to.includes("stranger@example.com"))).toEqual([]);
});

test("[S22] a link expires after an hour, and a new password ends the other links", async () => {
  const { app, ada, clock, linksTo } = await setUp();
  await forgot(app, ada.email);
  const [expired = ""] = await linksTo("/reset-password");
  clock.advance(HOUR_MS);
  expect((await reset(app, tokenOf(expired))).body.error).toBe("invalid_link");
  for (const count of [2, 3]) {
    await forgot(app, ada.email);
    await linksTo("/reset-password", count);
  }
  const [, first = "", second = ""] = await linksTo("/reset-password", 3);
  expect((await reset(app, tokenOf(second))).status).toBe(200);
  expect((await reset(app, tokenOf(first))).body.error).toBe("invalid_link");
});

test("a mailbox gets at most five links in an hour", async () => {
  const { app, ada, mail } = await setUp();
  await Promise.all(Array.from({ length: 12 }, () => forgot(app, ada.email)));
  // Stopping waits for the mails that are on their way.
  await app.stop();
  expect(mail.received.filter(({ raw }) => raw.includes("Reset your Baton password"))).toHaveLength(5);
});

test("a link of one purpose does not serve another", async () => {
  const { app, ada, linksTo } = await setUp();
  const [confirmation = ""] = await linksTo("/confirm-email");
  expect((await reset(app, tokenOf(confirmation))).body.error).toBe("invalid_link");
  await forgot(app, ada.email);
  const [link = ""] = await linksTo("/reset-password");
  const { body } = await app.anonymous.post("/api/auth/email/confirm", { token: tokenOf(link) });
  expect(body.error).toBe("invalid_link");
});

test("a new account gets a mail to confirm its address, once", async () => {
  const { app, ada, mail, linksTo } = await setUp();
  const confirmedAt = async () => (await ada.get("/api/auth/me")).body.user.emailConfirmedAt;
  const [first = ""] = await linksTo("/confirm-email");
  expect(await confirmedAt()).toBeNull();
  expect((await ada.post("/api/auth/email/confirmation")).body).toEqual({ ok: true });
  const [, second = ""] = await linksTo("/confirm-email", 2);

  const confirm = (link: string) => app.anonymous.post("/api/auth/email/confirm", { token: tokenOf(link) });
  expect((await confirm(second)).body).toEqual({ ok: true });
  expect(await confirmedAt()).toMatch(/Z$/);
  expect((await confirm(first)).body.error).toBe("invalid_link");
  await ada.post("/api/auth/email/confirmation");
  expect(mail.received).toHaveLength(2);
});

test("a password reset by mail confirms the address, and one by the operator does not", async () => {
  const { app, ada, linksTo } = await setUp();
  const confirmed = async (email: string) =>
    (await app.sql(`select email_confirmed_at as at from account where email = '${email}'`))[0]?.["at"] !==
    null;
  await forgot(app, ada.email);
  await reset(app, tokenOf((await linksTo("/reset-password"))[0]!));
  expect(await confirmed(ada.email)).toBe(true);

  const ben = await registerUser(app, "ben");
  await app.stop();
  const { context, lines } = await operatorOf(app, { PUBLIC_URL: "https://baton.example.com" });
  await resetPassword({ ...context, args: [ben.email] });
  const again = await useTestApp({}, { dataDir: app.dataDir });
  expect((await reset(again, tokenOf(lines.at(-1)!))).status).toBe(200);
  expect(await logIn(again, ben.email, newPassword)).toBe(200);
  expect(await confirmed(ben.email)).toBe(false);
});

test("without SMTP, the login screen offers no mail, and the operator confirms addresses", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  expect((await app.anonymous.get("/api/auth/methods")).body).toMatchObject({
    ok: true,
    registration: "open",
    password: true,
    mail: false,
  });
  for (const response of [await forgot(app, ada.email), await ada.post("/api/auth/email/confirmation")])
    expect([response.status, response.body.error]).toEqual([503, "mail_not_configured"]);
  await app.stop();
  const { context, lines } = await operatorOf(app);
  await confirmEmail({ ...context, args: [ada.email] });
  expect(lines).toEqual([`${ada.email} is confirmed.`]);
});
