import { expect, test } from "vitest";
import { registerUser, useTestApp } from "./support/test-app.ts";

/** Hashes that end when the test says so; a stored hash is the password itself. */
function useHeldHashes() {
  const running = new Map<string, () => void>();
  let isHeld = false;
  const hold = async (password: string): Promise<void> => {
    if (isHeld) await new Promise<void>((resolve) => running.set(password, resolve));
  };
  return {
    running,
    hold: () => (isHeld = true),
    release() {
      isHeld = false;
      for (const end of running.values()) end();
    },
    passwords: {
      hash: async (password: string) => (await hold(password), password),
      verify: async (password: string, stored: string | undefined) => (
        await hold(password),
        password === stored
      ),
    },
  };
}

const register = (index: number) => ({
  email: `flood-${index}@example.com`,
  password: `a flood of accounts ${index}`,
});

test("a flood of registrations holds one slot, and a login starts at once", async () => {
  const { passwords, running, hold, release } = useHeldHashes();
  const app = await useTestApp({}, { passwords });
  const { email, password } = await registerUser(app, "alice");
  hold();
  const flood = Array.from({ length: 50 }, (_, index) =>
    app.anonymous.post("/api/auth/register", register(index)),
  );
  await expect.poll(() => running.size).toBe(1);
  const login = app.anonymous.post("/api/auth/login", { email, password });
  await expect.poll(() => running.has(password)).toBe(true);
  expect(running.size).toBe(2);
  release();
  expect((await login).status).toBe(200);
  expect((await Promise.all(flood)).map(({ status }) => status)).toEqual(Array(50).fill(201));
});

test("beyond the queue of one address a registration is 429 with Retry-After and the name of the setting", async () => {
  const { passwords, running, hold, release } = useHeldHashes();
  const app = await useTestApp({ WAITING_PASSWORDS_PER_ADDRESS: "2" }, { passwords });
  hold();
  const accepted = [0, 1, 2].map((index) => app.anonymous.post("/api/auth/register", register(index)));
  await expect
    .poll(async () => (await app.anonymous.get("/metrics")).text)
    .toMatch(/baton_share_waiting\{share="passwords"\} 2/);
  const { status, headers, body } = await app.anonymous.post("/api/auth/register", register(3));
  expect([status, body.error, body.details]).toEqual([
    429,
    "limit_reached",
    { limit: "WAITING_PASSWORDS_PER_ADDRESS" },
  ]);
  expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  expect(running.size).toBe(1);
  release();
  expect((await Promise.all(accepted)).map((response) => response.status)).toEqual([201, 201, 201]);
});
