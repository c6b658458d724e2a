import { expect, test } from "vitest";
import { readConfig } from "../server/config.ts";
import { type TestApp, useTestApp } from "./support/test-app.ts";

/** An empty value counts as not set. */
const setup = { HOST: "0.0.0.0", ALLOW_REGISTRATION: "" };
const register = (app: TestApp, email: string, more: object = {}) =>
  app.anonymous.post("/api/auth/register", { email, password: "long enough", ...more });

test("[S22] on a new instance that others can reach, the first account needs the code, and then registration is closed", async () => {
  const app = await useTestApp(setup);
  const setupCode = await app.setupCode();
  expect(setupCode).toMatch(/^[0-9a-f]{5}(-[0-9a-f]{5}){3}$/);
  for (const wrong of [{}, { setupCode: "" }, { setupCode: "00000-00000-00000-00000" }]) {
    const { status, body } = await register(app, "mallory@example.com", wrong);
    expect([status, body.error]).toEqual([403, "setup_code_required"]);
  }
  expect(await app.sql("select id from account")).toEqual([]);
  expect((await register(app, "ada@example.com", { setupCode })).status).toBe(201);
  expect(await app.setupCode()).toBeUndefined();
  for (const more of [{}, { setupCode }])
    expect((await register(app, "bob@example.com", more)).body.error).toBe("registration_closed");
});

test("ALLOW_REGISTRATION=true opens registration, false closes it, and on loopback it is open", async () => {
  expect(readConfig({ HOST: "0.0.0.0" })).toMatchObject({ setupMode: true });
  for (const [environment, allowRegistration] of [
    [{ HOST: "0.0.0.0", ALLOW_REGISTRATION: "true" }, true],
    [{ HOST: "0.0.0.0", ALLOW_REGISTRATION: "false" }, false],
    [{}, true],
  ] as const)
    expect(readConfig(environment)).toMatchObject({ allowRegistration, setupMode: false });
  const open = await useTestApp({ HOST: "0.0.0.0", ALLOW_REGISTRATION: "true" });
  expect((await register(open, "ada@example.com")).status).toBe(201);
});
