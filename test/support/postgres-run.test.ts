import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createDatabase, postgresUrl, sqlOnServer } from "./postgres.ts";
import { clearOrphans, dropDatabasesOf, folderOfRun } from "./postgres-run.ts";
import { isAlive, startPostgres } from "./postgres-server.ts";

/** The id of a process that has exited. */
const deadPid = (): number => spawnSync(process.execPath, ["--version"]).pid;

test("servers and folders of killed test runs are removed, those of a running one are kept", async () => {
  const [orphaned, running] = [folderOfRun(deadPid()), folderOfRun(process.pid)];
  onTestFinished(() => rmSync(running, { recursive: true }));
  const server = await startPostgres({ folder: join(orphaned, "single-test") });
  onTestFinished(() => server.close());
  const { pid } = server;
  clearOrphans();
  expect([isAlive(pid), existsSync(orphaned), existsSync(running)]).toEqual([false, false, true]);
});

test("on a shared server only the databases of the ended run are dropped", async () => {
  const run = deadPid();
  const server = await postgresUrl();
  const { url: own, drop } = await createDatabase();
  onTestFinished(drop);
  await sqlOnServer(server, `create database test_${run}_left`);
  await dropDatabasesOf(run, server);
  const rows = await sqlOnServer(server, "select datname from pg_database");
  const names = rows.map((row) => row["datname"]);
  expect(names).not.toContain(`test_${run}_left`);
  expect(names).toContain(new URL(own).pathname.slice(1));
});
