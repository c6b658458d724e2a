import { expect, test } from "vitest";
import { shareApp } from "./support/shared-app.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";

const { app } = await shareApp([]);
/** What `GET /api/auth/me` shows of the first account in addition. */
const ownFields = { isAdministrator: true, twoFactor: false, emailConfirmedAt: null, providerOnly: false };

test("registering returns 201 with a token for the account", async () => {
  const response = await app.anonymous.post("/api/auth/register", {
    email: "Ada@Example.com",
    password: "long enough",
    name: "Ada",
  });
  expect(response.status).toBe(201);
  expect(response.body).toEqual({
    ok: true,
    token: expect.any(String),
    user: {
      id: expect.stringMatching(/^user_/),
      email: "ada@example.com",
      name: "Ada",
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  });
  const me = await app.anonymous.get("/api/auth/me", { authorization: `Bearer ${response.body.token}` });
  const { user } = response.body;
  const personal = {
    id: user.id,
    name: "Personal",
    kind: "personal",
    role: "owner",
    createdAt: user.createdAt,
  };
  expect(me.body).toEqual({ ok: true, user: { ...user, ...ownFields }, workspaces: [personal] });
});

test("an email address can be registered once, regardless of case", async () => {
  const { email } = await registerUser(app);
  const again = await app.anonymous.post("/api/auth/register", {
    email: email.toUpperCase(),
    password: "another password",
  });
  expect(again.status).toBe(409);
  expect(again.body).toMatchObject({ ok: false, error: "email_taken" });
});

test("concurrent registrations of one address create one account", async () => {
  const responses = await Promise.all(
    Array.from({ length: 8 }, () =>
      app.anonymous.post("/api/auth/register", { email: "race@example.com", password: "long enough" }),
    ),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(responses.filter(({ body }) => body.error === "email_taken")).toHaveLength(7);
});

test.each([
  ["a short password", { email: "a@example.com", password: "1234567" }, "password"],
  ["a password of 201 characters", { email: "a@example.com", password: "x".repeat(201) }, "password"],
  ["a NUL in the password", { email: "a@example.com", password: "1234\u00005678" }, "password"],
  ["no address", { password: "long enough" }, "email"],
  ["an invalid address", { email: "nobody", password: "long enough" }, "email"],
  ["a number as the name", { email: "a@example.com", password: "long enough", name: 5 }, "name"],
])("registration rejects %s and names the field", async (_what, body, field) => {
  const response = await app.anonymous.post("/api/auth/register", body);
  expect(response.status).toBe(400);
  expect(response.body).toMatchObject({ ok: false, error: "invalid_request", message: expect.any(String) });
  expect(response.body.details[0]).toMatchObject({ path: field, message: expect.any(String) });
});

test("logging in returns the same as registering, regardless of the case of the address", async () => {
  const { email, password, user } = await registerUser(app);
  const response = await app.anonymous.post("/api/auth/login", { email: email.toUpperCase(), password });
  expect(response.status).toBe(200);
  expect(response.body).toEqual({ ok: true, token: expect.any(String), user });
});

test("a wrong password and an unknown address get the same response", async () => {
  const { email } = await registerUser(app);
  const wrong = await app.anonymous.post("/api/auth/login", { email, password: "wrong password" });
  const unknown = await app.anonymous.post("/api/auth/login", {
    email: "nobody@example.com",
    password: "wrong password",
  });
  expect(wrong.status).toBe(401);
  expect(wrong.body).toMatchObject({ ok: false, error: "invalid_credentials" });
  expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
});

test("no response contains the password or its hash", async () => {
  const alice = await registerUser(app);
  const responses = [
    await app.anonymous.post("/api/auth/login", { email: alice.email, password: alice.password }),
    await alice.get("/api/auth/me"),
  ];
  for (const { text } of responses) expect(text).not.toMatch(/password|scrypt|hash/i);
});

test("without a token the response is 401 missing_token, and the body is not read", async () => {
  const response = await app.anonymous.post("/api/workflows", "{ this is no JSON");
  expect(response.status).toBe(401);
  expect(response.body).toMatchObject({ ok: false, error: "missing_token" });
});

test.each([
  ["no JWT", "abc"],
  ["an unsigned JWT", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c2VyXzEifQ."],
  ["a JWT with a wrong signature", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyXzEifQ.c2lnbmF0dXJl"],
])("%s is 401 invalid_token", async (_what, token) => {
  const response = await app.anonymous.get("/api/auth/me", { authorization: `Bearer ${token}` });
  expect(response.status).toBe(401);
  expect(response.body).toMatchObject({ ok: false, error: "invalid_token" });
});

test("a token expires after seven days", async () => {
  let now = Date.UTC(2026, 0, 1);
  const aging = await useTestApp({}, { clock: { now: () => now, monotonic: () => now } });
  const alice = await registerUser(aging);
  const day = 86_400_000;
  now += 7 * day - 1000;
  expect((await alice.get("/api/auth/me")).status).toBe(200);
  now += 2000;
  expect((await alice.get("/api/auth/me")).body).toMatchObject({ error: "invalid_token" });
});

test("an account and its token survive a restart", async () => {
  const first = await useTestApp();
  const alice = await registerUser(first);
  await first.stop();
  const second = await useTestApp({}, { dataDir: first.dataDir });
  const me = await second.anonymous.get("/api/auth/me", { authorization: `Bearer ${alice.token}` });
  expect(me.body.user).toEqual({ ...alice.user, ...ownFields });
});

test("with closed registration, existing accounts can still log in", async () => {
  const open = await useTestApp();
  const { email, password } = await registerUser(open);
  await open.stop();
  const closed = await useTestApp({ ALLOW_REGISTRATION: "false" }, { dataDir: open.dataDir });
  const refused = await closed.anonymous.post("/api/auth/register", {
    email: "new@example.com",
    password: "long enough",
  });
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({ ok: false, error: "registration_closed" });
  expect((await closed.anonymous.post("/api/auth/login", { email, password })).status).toBe(200);
});

const guess = { email: "a@example.com", password: "guess" };

test("[S22] the login limit returns 429 with Retry-After, and a forged X-Forwarded-For does not bypass it", async () => {
  const limited = await useTestApp({ RATE_LIMIT_LOGIN_PER_MINUTE: "3" });
  for (let i = 0; i < 3; i++) {
    const { status, headers } = await limited.anonymous.post("/api/auth/login", guess);
    expect(status).toBe(401);
    expect(headers).toMatchObject({ "ratelimit-limit": "3", "ratelimit-remaining": String(2 - i) });
  }
  const response = await limited.anonymous.post("/api/auth/login", guess, {
    "x-forwarded-for": "203.0.113.9",
  });
  expect(response.status).toBe(429);
  expect(response.body).toMatchObject({ ok: false, error: "rate_limited" });
  expect(Number(response.headers["retry-after"])).toBeGreaterThan(0);
});

test("the registration limit is ten times the login limit", async () => {
  const limited = await useTestApp({ RATE_LIMIT_LOGIN_PER_MINUTE: "1" });
  const register = (i: number) =>
    limited.anonymous.post("/api/auth/register", { email: `${i}@example.com`, password: "long enough" });
  for (let i = 0; i < 10; i++) expect((await register(i)).status).toBe(201);
  const refused = await register(10);
  expect(refused.status).toBe(429);
  expect(refused.headers).toMatchObject({ "ratelimit-limit": "10", "retry-after": expect.any(String) });
});

test("behind a trusted proxy the limit applies to each caller", async () => {
  const limited = await useTestApp({ RATE_LIMIT_LOGIN_PER_MINUTE: "1", TRUST_PROXY: "1" });
  const from = (address: string) =>
    limited.anonymous.post("/api/auth/login", guess, { "x-forwarded-for": address });
  expect((await from("203.0.113.1")).status).toBe(401);
  expect((await from("203.0.113.1")).status).toBe(429);
  expect((await from("203.0.113.2")).status).toBe(401);
  // The proxy adds only the last hop; the caller can forge everything before it.
  expect((await from("198.51.100.7, 203.0.113.2")).status).toBe(429);
});
