import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import type { Config } from "../../config.ts";
import { readKey } from "../../key-files.ts";
import { AppError, messageOf } from "../../lib/errors.ts";
import { explainSystemError } from "../../lib/system-error.ts";
import { createSecretBox } from "../../security/secret-box.ts";
import { KEY_CHECK, openKeyCheck } from "../../storage/key-check.ts";
import { migrations } from "../../storage/migrations/all.ts";
import { hostAndPort, readAddress } from "../../storage/postgres/address.ts";
import { checkServer } from "../../storage/postgres/check-server.ts";
import { openConnection } from "../../storage/sqlite/connection.ts";
import { assertNotLockedOut } from "../../storage/sqlite/folder-lockout.ts";
import { DATABASE_FILE } from "../../storage/sqlite/sqlite-db.ts";
import { ok, type Outcome, problem, warn } from "./finding.ts";
import { describeSkew } from "./folder.ts";

const TIMEOUT_MS = 5000;
const NEWEST = migrations.at(-1)?.version ?? 0;
const VERSION = "select max(version) as version from schema_migration";

/** Reads the database without changing it. */
export async function checkDatabase(
  config: Pick<Config, "dataDir" | "database" | "encryptionKeys">,
): Promise<Outcome> {
  const { url } = config.database;
  try {
    if (url === undefined) return checkEmbedded(config);
    const { version, sealed } = await askPostgres(url);
    return describe({ version, sealed }, `PostgreSQL at ${hostAndPort(url)}`, config);
  } catch (error) {
    const known = error instanceof AppError ? error.message : explainSystemError(error);
    if (known === undefined) return problem(messageOf(error), "Check DATABASE_URL and DATA_DIR.");
    return problem(known, "Change what the message names and run the doctor again.");
  }
}

/** Undefined with the embedded database, which has no other clock. */
export async function checkDatabaseClock(url: string): Promise<Outcome> {
  try {
    const { now, askedAt } = await askPostgres(url);
    return describeSkew(now - askedAt, "the database server", askedAt);
  } catch {
    return warn("The clock of the database server is unknown.", "See the database above.");
  }
}

function checkEmbedded(config: Pick<Config, "dataDir" | "encryptionKeys">): Outcome {
  const { dataDir } = config;
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) return ok("embedded, created at the first start");
  assertNotLockedOut(dataDir);
  const connection = openConnection(file);
  try {
    const version = Number(connection.prepare(VERSION).all()[0]?.["version"] ?? 0);
    const sealed = version === NEWEST ? connection.prepare(KEY_CHECK).all()[0]?.["sealed"] : undefined;
    return describe({ version, sealed: sealed as string | undefined }, "embedded", config);
  } finally {
    connection.close();
  }
}

interface Found {
  version: number;
  /** Sealed with the encryption key of this database. Undefined unless the schema is up to date. */
  sealed: string | undefined;
}

function describe(
  { version, sealed }: Found,
  where: string,
  config: Pick<Config, "dataDir" | "encryptionKeys">,
): Outcome {
  if (sealed !== undefined) openKeyCheck(createSecretBox(keysOf(config)), sealed);
  return describeSchema(version, where);
}

/** Without a key in the settings or the data folder, a start would generate one. */
function keysOf({
  dataDir,
  encryptionKeys,
}: Pick<Config, "dataDir" | "encryptionKeys">): [Buffer, ...Buffer[]] {
  const [first, ...others] = encryptionKeys;
  if (first !== undefined) return [first, ...others];
  const file = join(dataDir, "encryption-key");
  return [existsSync(file) ? Buffer.from(readKey(file), "hex") : randomBytes(32)];
}

function describeSchema(version: number, where: string): Outcome {
  const message = `${where}, schema version ${version}`;
  if (version === NEWEST) return ok(`${message}, up to date`);
  if (version === 0) return ok(`${where}, empty: the first start creates the tables`);
  if (version > NEWEST)
    return problem(
      `${message} is newer than this version of Baton, which knows ${NEWEST}.`,
      "Start the newer version, or restore a backup made before the upgrade.",
    );
  const pending = migrations.filter((migration) => migration.version > version).length;
  return warn(
    `${message}: ${pending} migrations run at the next start.`,
    "Make a backup before you start (docs/operate/upgrade.md).",
  );
}

async function askPostgres(given: string): Promise<Found & { now: number; askedAt: number }> {
  const url = readAddress(given, "DATABASE_URL");
  const connectTo = async (address: string): Promise<Client> => {
    const client = new Client({ connectionString: address, connectionTimeoutMillis: TIMEOUT_MS });
    // Without a handler, an error before the connection is established would end the process.
    client.on("error", () => undefined);
    await client.connect();
    return client;
  };
  await checkServer({ connectTo, url, setting: "DATABASE_URL", timeoutMs: TIMEOUT_MS });
  const client = await connectTo(url);
  try {
    const { rows } = await client.query<{ now: string; exists: boolean }>(
      `select extract(epoch from clock_timestamp()) * 1000 as now, to_regclass('schema_migration') is not null as exists`,
    );
    const askedAt = Date.now();
    const stored = rows[0]?.exists === true ? (await client.query(VERSION)).rows[0]?.version : 0;
    const version = Number(stored ?? 0);
    const sealed = version === NEWEST ? (await client.query(KEY_CHECK)).rows[0]?.sealed : undefined;
    return { version, sealed, now: Number(rows[0]?.now), askedAt };
  } finally {
    await client.end();
  }
}
