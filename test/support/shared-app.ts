import { afterAll } from "vitest";
import {
  createTestApp,
  registerUser,
  type RegisteredUser,
  type TestApp,
  type TestAppOptions,
} from "./test-app.ts";

/** One app for all tests of a file, with these users: `const { app, alice } = await shareApp(["alice"])`. */
export async function shareApp<Name extends string>(
  names: readonly Name[],
  settings?: Record<string, string>,
  options?: TestAppOptions,
): Promise<{ app: TestApp } & Record<Name, RegisteredUser>> {
  const app = await createTestApp(settings, options);
  afterAll(() => app.close());
  const users: Partial<Record<Name, RegisteredUser>> = {};
  for (const name of names) users[name] = await registerUser(app, name);
  return { app, ...(users as Record<Name, RegisteredUser>) };
}
