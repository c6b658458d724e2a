import { expect, test } from "vitest";
import { findTotpStep, totpCode, totpStepAt } from "../server/security/totp.ts";
import { resetSecondFactor } from "../server/operations/admin/reset-second-factor.ts";
import { clientOf } from "./support/client.ts";
import { operatorOf } from "./support/operator.ts";
import { registerUser, type RegisteredUser, type TestApp, useTestApp } from "./support/test-app.ts";

/** A clock that a test moves, so that each login can have its own code. */
function testClock() {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    monotonic: () => performance.now() + offset,
    advance: (ms: number) => (offset += ms),
  };
}

async function setUp(settings: Record<string, string> = {}) {
  const clock = testClock();
  const app = await useTestApp(settings, { clock });
  const ada = await registerUser(app, "ada");
  const { secret, uri } = (await ada.post("/api/auth/second-factor/setup")).body;
  /** The code that the app shows now. */
  const code = (): string => totpCode(secret, totpStepAt(clock.now()));
  const nextCode = (): string => {
    clock.advance(30_000);
    return code();
  };
  const enable = async (given = code()): Promise<string[]> => {
    const { status, body } = await ada.post("/api/auth/second-factor/enable", {
      password: ada.password,
      code: given,
    });
    expect(status).toBe(200);
    return body.recoveryCodes;
  };
  return { app, ada, clock, secret, uri, code, nextCode, enable };
}

const logIn = (app: TestApp, { email, password }: RegisteredUser) =>
  app.anonymous.post("/api/auth/login", { email, password });

async function challengeOf(app: TestApp, user: RegisteredUser): Promise<string> {
  const { status, body } = await logIn(app, user);
  expect([status, body.error]).toEqual([401, "second_factor_required"]);
  return body.details.challenge;
}

const sendCode = (app: TestApp, challenge: string, code: string) =>
  app.anonymous.post("/api/auth/login/second-factor", { challenge, code });

/** A code that is not valid at this time. */
function wrongCode(secret: string, now: number): string {
  return ["111111", "222222", "333333", "444444"].find(
    (code) => findTotpStep(secret, code, now) === undefined,
  )!;
}

test("[S22] with the second factor on, a login needs the password and a code", async () => {
  const { app, ada, uri, enable, nextCode } = await setUp();
  expect(uri).toMatch(/^otpauth:\/\/totp\/Baton:ada-\d+%40example\.com\?secret=/);
  expect((await ada.get("/api/auth/me")).body.user.twoFactor).toBe(false);
  // A secret that was never enabled changes nothing.
  expect((await logIn(app, ada)).status).toBe(200);

  await enable();
  expect((await ada.get("/api/auth/me")).body.user.twoFactor).toBe(true);
  const challenge = await challengeOf(app, ada);
  const { status, body } = await sendCode(app, challenge, nextCode());
  expect([status, body.user.email]).toEqual([200, ada.email]);
  expect((await clientOf(app.http, body.token).get("/api/auth/me")).status).toBe(200);
});

test("the log of the instance names the account of a wrong code, and who turned the second factor on and off", async () => {
  const { app, ada, clock, secret, enable, nextCode } = await setUp();
  await enable();
  const challenge = await challengeOf(app, ada);
  await sendCode(app, challenge, wrongCode(secret, clock.now()));
  await sendCode(app, "forged", "111111");
  const { token } = (await sendCode(app, challenge, nextCode())).body;
  const admin = clientOf(app.http, token);
  await admin.post("/api/auth/second-factor/disable", { password: ada.password, code: nextCode() });
  const { events } = (await admin.get("/api/admin/audit-events")).body;
  const { id } = ada.user;
  expect(events.slice(0, 6)).toMatchObject([
    { action: "disableSecondFactor", outcome: "succeeded", actor: { id }, target: { id } },
    { action: "loginWithSecondFactor", outcome: "succeeded", actor: { id }, target: { id, name: "ada" } },
    {
      action: "loginWithSecondFactor",
      error: "invalid_challenge",
      actor: { id: null },
      target: { id: null },
    },
    {
      action: "loginWithSecondFactor",
      outcome: "failed",
      error: "invalid_code",
      actor: { kind: "anonymous", id: null },
      target: { kind: "account", id, name: "ada" },
      before: null,
      after: null,
    },
    { action: "login", outcome: "failed", error: "second_factor_required", target: { name: ada.email } },
    {
      action: "enableSecondFactor",
      actor: { id },
      before: {},
      after: { secondFactorEnabledAt: expect.any(String) },
    },
  ]);
});

test("[S22] a code works once, and the one that turned the second factor on never logs in", async () => {
  const { app, ada, code, nextCode, enable } = await setUp();
  // The app may show another code a moment later.
  const used = code();
  await enable(used);
  const challenge = await challengeOf(app, ada);
  const replayed = await sendCode(app, challenge, used);
  expect([replayed.status, replayed.body.error]).toEqual([401, "invalid_code"]);
  const fresh = nextCode();
  const both = await Promise.all([sendCode(app, challenge, fresh), sendCode(app, challenge, fresh)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  expect((await sendCode(app, await challengeOf(app, ada), fresh)).body.error).toBe("invalid_code");
});

test("[S22] a recovery code replaces a code of the app once, however it is typed", async () => {
  const { app, ada, enable } = await setUp();
  const [first = "", second = ""] = await enable();
  const challenge = await challengeOf(app, ada);
  const typed = ` ${first.toUpperCase().replaceAll("-", " ")}`;
  expect((await sendCode(app, challenge, typed)).status).toBe(200);
  expect((await sendCode(app, challenge, first)).body.error).toBe("invalid_code");
  expect((await ada.get("/api/auth/second-factor")).body).toMatchObject({
    enabled: true,
    recoveryCodesLeft: 9,
  });
  // Only hashes are stored.
  const rows = JSON.stringify(await app.sql("select * from recovery_code"));
  expect(rows).not.toContain(second);
  expect(rows).not.toContain(second.replaceAll("-", ""));
});

test("[S22] ten wrong codes block the second factor, also for concurrent guesses and right codes", async () => {
  const { app, ada, clock, secret, nextCode, enable } = await setUp();
  await enable();
  const challenge = await challengeOf(app, ada);
  const wrong = wrongCode(secret, clock.now());
  const guesses = await Promise.all(Array.from({ length: 14 }, () => sendCode(app, challenge, wrong)));
  const codes = guesses.map(({ body }) => body.error);
  expect(codes.filter((code) => code === "invalid_code")).toHaveLength(10);
  expect(codes.filter((code) => code === "rate_limited")).toHaveLength(4);
  const blocked = await sendCode(app, challenge, nextCode());
  expect([blocked.status, Number(blocked.headers["retry-after"]) > 60]).toEqual([429, true]);
  clock.advance(15 * 60_000);
  expect((await sendCode(app, await challengeOf(app, ada), nextCode())).status).toBe(200);
});

test("[S22] a challenge expires after five minutes and with a change of the password, and cannot be forged", async () => {
  const { app, ada, clock, nextCode, enable } = await setUp();
  await enable();
  const expired = await challengeOf(app, ada);
  clock.advance(5 * 60_000);
  expect((await sendCode(app, expired, nextCode())).body.error).toBe("invalid_challenge");

  const outdated = await challengeOf(app, ada);
  const newPassword = "a quite different one";
  await ada.post("/api/auth/password", { currentPassword: ada.password, newPassword });
  expect((await sendCode(app, outdated, nextCode())).body.error).toBe("invalid_challenge");

  const [payload = "", signature = ""] = (await challengeOf(app, { ...ada, password: newPassword })).split(
    ".",
  );
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  const forged = Buffer.from(JSON.stringify({ ...claims, expiresAt: clock.now() * 2 })).toString("base64url");
  for (const text of [`${forged}.${signature}`, payload, "x"])
    expect((await sendCode(app, text, nextCode())).body.error).toBe("invalid_challenge");
  // A challenge is not a login token.
  const { status } = await clientOf(app.http, `${payload}.${signature}`).get("/api/auth/me");
  expect(status).toBe(401);
});

test("[S22] turning it on, turning it off and new recovery codes need the password and a code", async () => {
  const { app, ada, clock, secret, code, nextCode, enable } = await setUp();
  const attempt = async (action: string, password: string, given: string) =>
    (await ada.post(`/api/auth/second-factor/${action}`, { password, code: given })).body.error ?? "done";
  const { password } = ada;
  expect(await attempt("enable", "not this one", code())).toBe("invalid_credentials");
  expect(await attempt("enable", password, wrongCode(secret, clock.now()))).toBe("invalid_code");
  expect(await attempt("disable", password, code())).toBe("second_factor_not_enabled");
  const old = await enable();
  expect(await attempt("enable", password, nextCode())).toBe("second_factor_enabled");
  expect((await ada.post("/api/auth/second-factor/setup")).body.error).toBe("second_factor_enabled");

  for (const action of ["disable", "recovery-codes"]) {
    expect(await attempt(action, "not this one", nextCode())).toBe("invalid_credentials");
    expect(await attempt(action, password, wrongCode(secret, clock.now()))).toBe("invalid_code");
  }
  expect(await attempt("recovery-codes", password, nextCode())).toBe("done");
  expect((await sendCode(app, await challengeOf(app, ada), old[0]!)).body.error).toBe("invalid_code");
  expect(await attempt("disable", password, nextCode())).toBe("done");
  expect((await logIn(app, ada)).status).toBe(200);
});

test("the secret is sealed in the database", async () => {
  const { app, secret, enable } = await setUp();
  await enable();
  const [row] = await app.sql("select secret from second_factor");
  expect(row?.["secret"]).toMatch(/^v1\./);
  expect(row?.["secret"]).not.toContain(secret);
});

test("an operator turns the second factor of a user off", async () => {
  const { app, ada, enable } = await setUp();
  await enable();
  await app.stop();
  const { context, lines } = await operatorOf(app);
  await resetSecondFactor({ ...context, args: [ada.email.toUpperCase()] });
  expect(lines).toEqual([`${ada.email} logs in with the password only.`]);
  await expect(resetSecondFactor({ ...context, args: ["nobody@example.com"] })).rejects.toThrow(
    "There is no account nobody@example.com.",
  );
  const again = await useTestApp({}, { dataDir: app.dataDir });
  expect((await logIn(again, ada)).status).toBe(200);
});
