import { createHmac } from "node:crypto";
import { io } from "socket.io-client";
import { expect, onTestFinished, test } from "vitest";
import { clientOf } from "./support/client.ts";
import { useProcessGroup } from "./processes/several.ts";
import { registerUser, type RegisteredUser, type TestApp, useTestApp } from "./support/test-app.ts";

const ended = { ok: false, error: "invalid_token", message: expect.any(String) };

async function logIn(app: TestApp, { email, password }: Pick<RegisteredUser, "email" | "password">) {
  const { status, body } = await app.anonymous.post(
    "/api/auth/login",
    { email, password },
    { "user-agent": "Test/1" },
  );
  if (status !== 200) throw new Error(`login returned ${status}`);
  return { token: body.token as string, ...clientOf(app.http, body.token) };
}

async function isLoggedIn(client: Pick<RegisteredUser, "get">): Promise<boolean> {
  const { status, body } = await client.get("/api/auth/me");
  if (status !== 200) expect([status, body]).toEqual([401, ended]);
  return status === 200;
}

test("[S22] logging out ends the token at once, and no other login", async () => {
  const app = await useTestApp();
  const first = await registerUser(app, "ada");
  const second = await logIn(app, first);
  // Both are in the cache of verified logins now.
  expect([await isLoggedIn(first), await isLoggedIn(second)]).toEqual([true, true]);
  expect((await first.post("/api/auth/logout")).body).toEqual({ ok: true });
  expect([await isLoggedIn(first), await isLoggedIn(second)]).toEqual([false, true]);
  const third = await logIn(app, first);
  await third.post("/api/auth/logout?everywhere=true");
  expect([await isLoggedIn(second), await isLoggedIn(third)]).toEqual([false, false]);
});

test("[S22] changing the password ends every other login and requires the current password", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const other = await logIn(app, ada);
  const newPassword = "a quite different one";
  const wrong = await ada.post("/api/auth/password", { currentPassword: "not this one", newPassword });
  expect([wrong.status, wrong.body.error]).toEqual([401, "invalid_credentials"]);
  const weak = await ada.post("/api/auth/password", {
    currentPassword: ada.password,
    newPassword: "Password1",
  });
  expect([weak.status, weak.body.error]).toEqual([400, "weak_password"]);
  expect(await isLoggedIn(other)).toBe(true);

  const changed = await ada.post("/api/auth/password", { currentPassword: ada.password, newPassword });
  expect([changed.status, changed.body]).toEqual([200, { ok: true }]);
  expect([await isLoggedIn(ada), await isLoggedIn(other)]).toEqual([true, false]);
  const old = await app.anonymous.post("/api/auth/login", { email: ada.email, password: ada.password });
  expect(old.body.error).toBe("invalid_credentials");
  await logIn(app, { email: ada.email, password: newPassword });
});

test("the logins of an account are listed newest first and can be ended one by one", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const other = await logIn(app, ada);
  const { sessions, nextCursor } = (await ada.get("/api/auth/sessions")).body;
  expect(nextCursor).toBeNull();
  expect(sessions).toMatchObject([
    { id: expect.stringMatching(/^login_/), userAgent: "Test/1", address: "127.0.0.1", current: false },
    { current: true },
  ]);
  expect((await ada.delete(`/api/auth/sessions/${sessions[0].id}`)).body).toEqual({ ok: true });
  expect([await isLoggedIn(ada), await isLoggedIn(other)]).toEqual([true, false]);
  expect((await ada.get("/api/auth/sessions")).body.sessions).toHaveLength(1);
  expect((await ada.delete(`/api/auth/sessions/${sessions[0].id}`)).body.error).toBe("session_not_found");
});

test("[S22] the end of a login closes its event streams and sockets, and no others", async () => {
  const app = await useTestApp();
  const address = await app.listen();
  const ada = await registerUser(app, "ada");
  const other = await logIn(app, ada);
  const steps = [{ stepId: "ask", type: "approval", message: "Go on?" }];
  const { workflow } = (await ada.post("/api/workflows", { name: "Ask", metadata: { steps, edges: [] } }))
    .body;
  const { taskId } = (await ada.post(`/api/workflows/${workflow.id}/run`, {})).body;

  async function connect(token: string) {
    const socket = io(address, { auth: { token }, transports: ["websocket"], reconnection: false });
    onTestFinished(() => void socket.close());
    await new Promise<void>((resolve, reject) => socket.on("connect", resolve).on("connect_error", reject));
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${address}/api/tasks/${taskId}/events`, { headers, signal: stop.signal });
    const stream = response.body!.getReader();
    await stream.read();
    let isOpen = true;
    const closed = (async () => {
      while (!(await stream.read()).done);
    })()
      .catch(() => undefined)
      .then(() => (isOpen = false));
    return { socket, closed, isOpen: () => isOpen };
  }

  const mine = await connect(ada.token);
  const theirs = await connect(other.token);
  const disconnected = new Promise((resolve) => theirs.socket.on("disconnect", resolve));
  await other.post("/api/auth/logout");
  await disconnected;
  await theirs.closed;
  expect([mine.socket.connected, mine.isOpen()]).toEqual([true, true]);
});

test("[S22] a token from before logins were recorded works until the password changes or its user logs out", async () => {
  const JWT_SECRET = "a secret that signs tokens of an earlier version";
  const app = await useTestApp({ JWT_SECRET });
  const ada = await registerUser(app, "ada");
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const oldToken = (sub: string) => {
    const iat = Math.floor(Date.now() / 1000) - 60;
    const claims = { sub, iss: "baton", aud: "baton", iat, exp: iat + 3600 };
    const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
    return `${signed}.${createHmac("sha256", JWT_SECRET).update(signed).digest("base64url")}`;
  };
  const old = clientOf(app.http, oldToken(ada.user.id));
  expect(await isLoggedIn(old)).toBe(true);
  const newPassword = "a quite different one";
  await ada.post("/api/auth/password", { currentPassword: ada.password, newPassword });
  expect(await isLoggedIn(old)).toBe(false);
  expect(await isLoggedIn(clientOf(app.http, oldToken("user_unknown")))).toBe(false);

  const bob = await registerUser(app, "bob");
  const oldOfBob = clientOf(app.http, oldToken(bob.user.id));
  await oldOfBob.post("/api/auth/logout");
  expect([await isLoggedIn(oldOfBob), await isLoggedIn(bob)]).toEqual([false, true]);
});

test("[S22] a login that ends in one process ends in the others", async () => {
  const several = await useProcessGroup();
  const [one, two] = [await several.join("api"), await several.join("api")];
  const ada = await registerUser(one, "ada");
  const elsewhere = clientOf(two.http, ada.token);
  expect(await isLoggedIn(elsewhere)).toBe(true);
  const socket = io(await two.listen(), {
    auth: { token: ada.token },
    transports: ["websocket"],
    reconnection: false,
  });
  onTestFinished(() => void socket.close());
  await new Promise((resolve) => socket.on("connect", () => resolve(undefined)));
  const disconnected = new Promise((resolve) => socket.on("disconnect", resolve));
  await ada.post("/api/auth/logout");
  await disconnected;
  expect(await isLoggedIn(elsewhere)).toBe(false);
});

test.each(["password1", "12345678", "qwertyuiop", "Summer2026!"])(
  "the common password %j is refused",
  async (password) => {
    const app = await useTestApp();
    const { status, body } = await app.anonymous.post("/api/auth/register", {
      email: "a@example.com",
      password,
    });
    expect([status, body.error]).toEqual([400, "weak_password"]);
  },
);

test("[S22] logins are limited per account, from however many addresses they come", async () => {
  const app = await useTestApp({ RATE_LIMIT_LOGIN_PER_MINUTE: "2", TRUST_PROXY: "1" });
  const guess = (email: string, number: number) =>
    app.anonymous.post(
      "/api/auth/login",
      { email, password: "guess" },
      { "x-forwarded-for": `203.0.113.${number}` },
    );
  for (let i = 0; i < 6; i++) expect((await guess("a@example.com", i)).status).toBe(401);
  expect((await guess("A@example.com", 6)).body.error).toBe("rate_limited");
  expect((await guess("b@example.com", 7)).status).toBe(401);
});

test("[S22] the addresses of one IPv6 /64 network share a login limit", async () => {
  const app = await useTestApp({ RATE_LIMIT_LOGIN_PER_MINUTE: "1", TRUST_PROXY: "1" });
  const guess = (address: string) =>
    app.anonymous.post(
      "/api/auth/login",
      { email: `${address.length}-${address.at(-1)}@example.com`, password: "guess" },
      { "x-forwarded-for": address },
    );
  expect((await guess("2001:db8:1:2::1")).status).toBe(401);
  expect((await guess("2001:db8:1:2:ffff::2")).status).toBe(429);
  expect((await guess("2001:db8:1:3::1")).status).toBe(401);
});
