import { expect, test } from "vitest";
import { administrator } from "../server/operations/admin/account-flags.ts";
import { clientOf } from "./support/client.ts";
import { operatorOf } from "./support/operator.ts";
import { registerUser, type RegisteredUser, useTestApp } from "./support/test-app.ts";

const isAdministrator = async (user: Pick<RegisteredUser, "get">) =>
  (await user.get("/api/auth/me")).body.user.isAdministrator as boolean;

test("the first account is the administrator; when the last one is deleted, the oldest account follows", async () => {
  const app = await useTestApp();
  const users = [
    await registerUser(app, "ada"),
    await registerUser(app, "ben"),
    await registerUser(app, "cy"),
  ];
  const [ada, ben, cy] = users as [RegisteredUser, RegisteredUser, RegisteredUser];
  expect(await Promise.all(users.map(isAdministrator))).toEqual([true, false, false]);
  await ben.call("/api/auth/me", { method: "DELETE", body: { password: "wrong" } });
  expect(await isAdministrator(ben)).toBe(false);
  await ada.call("/api/auth/me", { method: "DELETE", body: { password: ada.password } });
  expect([await isAdministrator(ben), await isAdministrator(cy)]).toEqual([true, false]);
});

test("the operator makes accounts administrators", async () => {
  const app = await useTestApp();
  const [ada, ben] = [await registerUser(app, "ada"), await registerUser(app, "ben")];
  await app.stop();
  const { context, lines } = await operatorOf(app);
  await administrator({ ...context, args: [ben.email, "on"] });
  await administrator({ ...context, args: [ada.email, "off"] });
  expect(lines).toEqual([`${ben.email} is an administrator.`, `${ada.email} is no administrator.`]);
  await expect(administrator({ ...context, args: [ada.email] })).rejects.toThrow("Usage:");
  const again = await useTestApp({}, { dataDir: app.dataDir });
  const flags = [ada, ben].map(({ token }) => isAdministrator(clientOf(again.http, token)));
  expect(await Promise.all(flags)).toEqual([false, true]);
});
