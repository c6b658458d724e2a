import { createFullTextIndex } from "../../server/documents/store/create-full-text-index.sql.ts";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { onTestFinished } from "vitest";
import type { Db, Row } from "../../server/storage/db.ts";
import { migrate } from "../../server/storage/migrate.ts";
import { migrations } from "../../server/storage/migrations/all.ts";
import { openDatabase } from "../../server/storage/open-database.ts";
import { openPostgres, type PostgresOptions } from "../../server/storage/postgres/open-postgres.ts";
import { startPostgres } from "./postgres-server.ts";

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/**
 * The PostgreSQL server of this run: `TEST_DATABASE_URL`, or one started by the first test that needs it. postgres-run.ts
 * names its folder and stops it. Without a server, tests fail; none is skipped.
 */
export async function postgresUrl(): Promise<string> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given !== undefined && given !== "") return given;
  const folder = process.env["BATON_TEST_POSTGRES"];
  if (folder === undefined)
    throw new Error("vitest's configuration lacks the global setup test/support/postgres-run.ts");
  const resultFile = join(folder, "result.json");
  if (!isFirst(folder)) return await readResult(resultFile);
  const started = await startPostgres({ folder: join(folder, "server") }).then(
    ({ url }) => ({ url }),
    (error: Error) => ({ error: `No PostgreSQL server for the tests: ${error.message}` }),
  );
  // Renamed into place: another test process must not read half of the file.
  writeFileSync(`${resultFile}.new`, JSON.stringify(started));
  renameSync(`${resultFile}.new`, resultFile);
  return await readResult(resultFile);
}

/** A linguistic collation (a, B, é) if available: it exposes queries that rely on byte order without saying so. */
const CREATE_DATABASE = `select format('create database %I encoding ''UTF8'' %s template template0', $1::text,
  case when current_setting('server_version_num')::int >= 150000 then 'locale_provider icu icu_locale ''en-US''' end) as sql`;

/** Creates an empty database, which the caller drops. */
export async function createDatabase(): Promise<TestDatabase> {
  const server = await postgresUrl();
  const name = `test_${process.env["BATON_TEST_RUN"] ?? process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  await withClient(server, async (client) => {
    const { rows } = await client.query<{ sql: string }>(CREATE_DATABASE, [name]);
    await client.query(rows[0]!.sql);
  });
  const { href: url } = Object.assign(new URL(server), { pathname: `/${name}` });
  return {
    url,
    drop: () => dropDatabase(url),
  };
}

async function dropDatabase(url: string): Promise<void> {
  await asAdmin(
    await postgresUrl(),
    `drop database if exists ${new URL(url).pathname.slice(1)} with (force)`,
  );
}

/** Like `createDatabase`, dropped when the running test ends. */
export async function useDatabase(): Promise<string> {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  return url;
}

/** A database of a test, and its own connection to it that can hold locks. */
export async function usePostgresAndClient(): Promise<{ db: Db; client: Client }> {
  const url = await acquireDatabase();
  const [db, client] = [await openPostgres({ url }), new Client({ connectionString: url })];
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await db.close();
    await releaseDatabase(url);
  });
  return { db, client };
}

/** A migrated, empty database that closes when the running test ends. */
export async function usePostgres(options: Partial<PostgresOptions> = {}): Promise<Db> {
  const url = await acquireDatabase();
  const db = await openPostgres({ url, ...options });
  onTestFinished(async () => {
    await db.close();
    await releaseDatabase(url);
  });
  return db;
}

// Creating a migrated database takes 250 ms, emptying one 25 ms, so databases are reused. They are removed with the server.
const spare: string[] = [];

export async function acquireDatabase(): Promise<string> {
  const reused = spare.pop();
  if (reused !== undefined) return reused;
  const { url } = await createDatabase();
  const { db } = await openDatabase({
    url,
    directUrl: url,
    poolSize: 2,
    folder: "",
    onProblem: () => undefined,
  });
  await migrate(db, migrations, 0);
  await createFullTextIndex(db).prepare();
  await db.close();
  return url;
}

/** Returns the database to the pool for the next test; on a shared server it is dropped. */
export async function releaseDatabase(url: string): Promise<void> {
  if (process.env["TEST_DATABASE_URL"]) return await dropDatabase(url);
  await asAdmin(
    url,
    // Without foreign key checks. Deleting a few rows is faster than truncate, which creates new files per table and index.
    "set session_replication_role = replica",
    `do $$ declare name text; begin
       for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'schema_migration' loop
         execute 'delete from ' || quote_ident(name);
       end loop;
     end $$`,
  );
  spare.push(url);
}

export async function sqlOnServer(url: string, text: string): Promise<Row[]> {
  const db = await openPostgres({ url, poolSize: 2 });
  try {
    return await db.query(text);
  } finally {
    await db.close();
  }
}

export async function asAdmin(url: string, ...statements: string[]): Promise<void> {
  await withClient(url, async (client) => {
    for (const sql of statements) await client.query(sql);
  });
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(join(folder, "starting"));
    return true;
  } catch {
    return false;
  }
}

async function readResult(file: string): Promise<string> {
  while (!existsSync(file)) await sleep(50);
  const { url, error } = JSON.parse(readFileSync(file, "utf8")) as { url?: string; error?: string };
  if (url === undefined) throw new Error(error);
  return url;
}
