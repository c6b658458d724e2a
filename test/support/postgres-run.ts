import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { isAlive, stopPostgresIn } from "./postgres-server.ts";

const PREFIX = "baton-postgres-";

/** Vitest's global setup: names the folder in which the first test that needs PostgreSQL starts it, and stops it at the end. */
export function setup(): () => Promise<void> {
  clearOrphans();
  const folder = folderOfRun(process.pid);
  process.env["BATON_TEST_POSTGRES"] = folder;
  process.env["BATON_TEST_RUN"] = String(process.pid);
  // An interrupted run exits without calling the teardown below.
  const clearAtExit = (): void => clear(folder);
  process.once("exit", clearAtExit);
  return async () => {
    process.off("exit", clearAtExit);
    clear(folder);
    const shared = process.env["TEST_DATABASE_URL"];
    if (shared !== undefined && shared !== "") await dropDatabasesOf(process.pid, shared);
  };
}

export function folderOfRun(pid: number): string {
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${pid}-`));
  // The server may run as another user, who needs access to the folder.
  chmodSync(folder, 0o755);
  return folder;
}

/** Drops the databases that tests left open on a shared server. */
export async function dropDatabasesOf(run: number, connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    "select datname from pg_database where starts_with(datname, $1)",
    [`test_${run}_`],
  );
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  await client.end();
}

/** Removes servers and folders of test runs that were killed. */
export function clearOrphans(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) clear(join(tmpdir(), name));
  }
}

/** The shared server of the run and the servers of single tests. */
function clear(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) stopPostgresIn(join(folder, name));
  rmSync(folder, { recursive: true, force: true });
}
