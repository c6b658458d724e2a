import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openConnection } from "../server/storage/sqlite/connection.ts";
import { registerAt } from "./support/registered-user.ts";
import { startService } from "./support/service-process.ts";
import { useTemporaryFolder } from "./support/test-app.ts";

const RUNS = 2000;

test("a kill during a move leaves every run in one of the two workspaces, and the next start moves the rest", async () => {
  const dataDir = await useTemporaryFolder();
  const settings = { DATA_DIR: dataDir, ALLOW_REGISTRATION: "true" };
  const first = startService(settings);
  const user = await registerAt(await first.ready());
  const { call, id: source } = user;
  const target = (await call("/api/workspaces", { name: "Team" })).workspace.id as string;
  const id = (await call("/api/workflows", { name: "Long" })).workflow.id as string;
  const database = openConnection(join(dataDir, "baton.sqlite"));
  onTestFinished(() => database.close());
  database.exec(`with recursive n (n) as (select 1 union all select n + 1 from n where n < ${RUNS})
    insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake,
      lives, lives_seq, created_at, started_at, completed_at)
    select 'task_' || n, '${source}', '${id}', 1, 'completed', 'manual', '{}', 0, 1, 0, 0, 0, n, n, n from n`);
  const owners = () =>
    Object.fromEntries(
      database
        .prepare("select owner_id, count(*) as n from task group by owner_id")
        .all()
        .map((row) => [row["owner_id"], Number(row["n"])]),
    );

  expect(await call(`/api/workflows/${id}/move`, { workspaceId: target })).toMatchObject({ movesRuns: true });
  await first.stop("SIGKILL");
  const left = owners();
  expect(left[source]).toBeGreaterThan(0);
  expect(left[target]).toBeGreaterThan(0);
  expect((left[source] ?? 0) + (left[target] ?? 0)).toBe(RUNS);
  // As if the kill had come before the bytes of the last batch were removed.
  const folder = join(dataDir, "run-files", source);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "file_copied"), "x");
  database.exec(`update workflow_move set copied_files = '["file_copied"]'`);

  const second = startService(settings);
  user.address = await second.ready();
  await expect.poll(owners, { timeout: 30_000 }).toEqual({ [target]: RUNS });
  expect(await readdir(folder)).toEqual([]);
  expect(await second.stop()).toBe(0);
});
