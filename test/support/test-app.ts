import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { User } from "../../contract/accounts.ts";
import { createApp, type App, type AppOptions } from "../../server/app.ts";
import { readConfig } from "../../server/config.ts";
import { systemClock, type Clock } from "../../server/lib/clock.ts";
import { createPasswords, type Passwords } from "../../server/security/passwords.ts";
import type { Row } from "../../server/storage/db.ts";
import { openConnection } from "../../server/storage/sqlite/connection.ts";
import { DATABASE_FILE } from "../../server/storage/sqlite/sqlite-db.ts";
import { clientOf, type Client } from "./client.ts";
import { linkLocalModel } from "./local-model.ts";
import { writeMigratedFile } from "./migrated-file.ts";
import { releaseDatabase, sqlOnServer, acquireDatabase } from "./postgres.ts";

export interface TestApp extends App {
  dataDir: string;
  /** Requests without a login. */
  anonymous: Client;
  /** Queries the database directly, bypassing the stores. */
  sql(text: string): Promise<Row[]>;
  /** Closes the app but keeps its folder, as a stop before a restart does. */
  stop(): Promise<void>;
  /** Closes the app and removes its folder. */
  close(): Promise<void>;
}

/** Real hashing at low cost: a thousand accounts at full cost would take half of the time of all tests. */
const cheapPasswords = createPasswords({ logN: 10, r: 8, p: 1 });

export interface TestAppOptions {
  clock?: Clock;
  passwords?: Passwords;
  /** In place of the apps that ship with Baton. */
  apps?: AppOptions["apps"];
  /** The folder of an earlier app; it is kept when this app closes. */
  dataDir?: string;
}

/**
 * The whole service on its own SQLite file or, in the run of test/postgres, on its own PostgreSQL database. `settings` are
 * environment variables: `createTestApp({ ALLOW_REGISTRATION: "false" })`. Call `close()` in `afterAll`, or use
 * `useTestApp` inside one test.
 */
export async function createTestApp(
  settings: Record<string, string> = {},
  { clock = systemClock, passwords = cheapPasswords, apps, dataDir: kept }: TestAppOptions = {},
): Promise<TestApp> {
  const dataDir = kept ?? (await newDataFolder());
  const databaseUrl = await databaseOf(dataDir);
  const config = readConfig({
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    DATA_DIR: dataDir,
    PORT: "0",
    LOG_LEVEL: "silent",
    // Tests that listen on other addresses would need the set-up code.
    ALLOW_REGISTRATION: "true",
    RATE_LIMIT_LOGIN_PER_MINUTE: "0",
    ...settings,
  });
  const app = await createApp(config, { clock, passwords, apps }).catch(async (error: unknown) => {
    if (kept === undefined) await removeFolder(dataDir);
    throw error;
  });
  await app.http.ready();
  app.start();
  return {
    ...app,
    dataDir,
    anonymous: clientOf(app.http),
    sql: (text) => (databaseUrl === undefined ? sqlInFile(dataDir, text) : sqlOnServer(databaseUrl, text)),
    stop: () => app.close(),
    async close() {
      await app.close();
      if (kept === undefined) await removeFolder(dataDir);
    },
  };
}

/** Like `createTestApp`, closed when the running test ends. */
export async function useTestApp(
  settings?: Record<string, string>,
  options?: TestAppOptions,
): Promise<TestApp> {
  const app = await createTestApp(settings, options);
  onTestFinished(() => app.close());
  return app;
}

export interface RegisteredUser extends Client {
  token: string;
  user: User;
  email: string;
  password: string;
}

let registered = 0;

/** Registers an account and returns a client with its login: `const alice = await registerUser(app, "alice")`. */
export async function registerUser(app: Pick<App, "http">, name = "user"): Promise<RegisteredUser> {
  const email = `${name}-${++registered}@example.com`;
  const password = `password of ${name}`;
  const response = await clientOf(app.http).post("/api/auth/register", { email, password, name });
  if (response.status !== 201) throw new Error(`registration returned ${response.status}: ${response.text}`);
  const { token, user } = response.body as { token: string; user: User };
  return { token, user, email, password, ...clientOf(app.http, token) };
}

async function sqlInFile(folder: string, text: string): Promise<Row[]> {
  const database = openConnection(join(folder, DATABASE_FILE));
  try {
    return await Promise.resolve(database.prepare(text).all());
  } finally {
    database.close();
  }
}

/** Apps that share a folder share its database. */
async function databaseOf(folder: string): Promise<string | undefined> {
  if (process.env["TEST_DATABASE"] !== "postgres") return undefined;
  const file = join(folder, "database-url");
  const known = await readFile(file, "utf8").catch(() => undefined);
  if (known !== undefined) return known;
  const url = await acquireDatabase();
  await writeFile(file, url);
  return url;
}

async function removeFolder(folder: string): Promise<void> {
  const url = await readFile(join(folder, "database-url"), "utf8").catch(() => undefined);
  if (url !== undefined) await releaseDatabase(url);
  await rm(folder, { recursive: true, force: true });
}

/** The caller removes it. Inside one test, use `useTemporaryFolder`. */
export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "baton-test-"));
}

/** Like `temporaryFolder`, removed when the running test ends. Works in `beforeEach` too. */
export async function useTemporaryFolder(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}

async function newDataFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await linkLocalModel(folder);
  if (process.env["TEST_DATABASE"] !== "postgres") await writeMigratedFile(folder);
  return folder;
}
