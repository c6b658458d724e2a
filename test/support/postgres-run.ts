import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { isAlive, stopPostgresIn } from "./postgres-server.ts";

const PREFIX = "baton-postgres-";

/** Vitest's set-up of a run: a folder in which the first test that needs PostgreSQL may start it, and its end. */
export function setup(): () => Promise<void> {
  clearOrphans();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // The server may run as another user, who has to get through.
  chmodSync(folder, 0o755);
  process.env["BATON_TEST_POSTGRES"] = folder;
  process.env["BATON_TEST_RUN"] = String(process.pid);
  return async () => {
    clear(folder);
    await dropLeftOver();
  };
}

/** On a server that is not the run's own: databases of apps that no test has closed. */
async function dropLeftOver(): Promise<void> {
  const connectionString = process.env["TEST_DATABASE_URL"];
  if (connectionString === undefined || connectionString === "") return;
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    "select datname from pg_database where starts_with(datname, $1)",
    [`test_${process.pid}_`],
  );
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  await client.end();
}

/** What a run left behind that was killed. */
function clearOrphans(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) clear(join(tmpdir(), name));
  }
}

function clear(folder: string): void {
  stopPostgresIn(join(folder, "server"));
  rmSync(folder, { recursive: true, force: true });
}
