import { parseArgs } from "node:util";
import { type AdminTask, ADMIN_TASK_KINDS, OPEN_TASK_STATUSES } from "../../../contract/admin-instance.ts";
import { createAdminTaskStore } from "../../administration/admin-task.sql.ts";
import { createStorageUsageStore } from "../../administration/storage-usage.sql.ts";
import { createStorageUsage } from "../../administration/storage-usage.ts";
import { usage } from "../command.ts";
import { stopOne, stopWorkspace } from "./stop-work.sql.ts";
import type { AdminContext } from "./admin-context.ts";
import { openInstance } from "./open-instance.ts";

export const TASKS_USAGE = `tasks [--status ${OPEN_TASK_STATUSES.join("|")}] [--kind ${ADMIN_TASK_KINDS.join("|")}] [--json]`;
export const STOP_USAGE = "stop --task <id> | --workspace <email or id> [--json]";
export const STORAGE_USAGE = "storage [--json]";

const json = { type: "boolean" } as const;
const text = { type: "string" } as const;
const BATCH_SIZE = 200;
const MEGABYTE = 1_000_000;

/** `npm run admin -- tasks …` */
export async function tasks({ config, args, log, print }: AdminContext): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { status: text, kind: text, json } });
  const status = OPEN_TASK_STATUSES.find((known) => known === (values.status ?? "running"));
  const kinds = ADMIN_TASK_KINDS.filter((known) => values.kind === undefined || known === values.kind);
  if (status === undefined || kinds.length === 0) throw usage("admin", TASKS_USAGE);
  const instance = await openInstance(config, log);
  try {
    const store = createAdminTaskStore(instance.db);
    const found: AdminTask[] = [];
    for (const kind of kinds) {
      let cursor: string | undefined;
      do {
        const page = await store.list(kind, status, { limit: BATCH_SIZE, cursor });
        found.push(...page.items);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
    }
    if (values.json === true) return print(JSON.stringify({ tasks: found }, null, 2));
    for (const { id, workspace, startedAt, process, lastStep, ...task } of found)
      log(
        [
          id,
          workspace.name,
          nameOf(task),
          startedAt === null ? "not started" : `since ${startedAt}`,
          ...(process === null ? [] : [`on ${process}`]),
          ...(lastStep === null ? [] : [`after step ${lastStep}`]),
        ].join(", "),
      );
    log(`${found.length} with status ${status}`);
  } finally {
    await instance.close();
  }
}

/** `npm run admin -- stop …` */
export async function stop({ config, args, log, print }: AdminContext): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { task: text, workspace: text, json } });
  const { task, workspace } = values;
  if ((task === undefined) === (workspace === undefined)) throw usage("admin", STOP_USAGE);
  const instance = await openInstance(config, log);
  try {
    const { db, now } = instance;
    const stopped =
      task === undefined ? await stopWorkspace(db, workspace!, now) : await stopOne(db, task, now);
    if (values.json === true) return print(JSON.stringify({ stopped }, null, 2));
    log(`${stopped} stopped`);
  } finally {
    await instance.close();
  }
}

/** `npm run admin -- storage …` */
export async function storage({ config, args, log, print }: AdminContext): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { json } });
  const { db, clock, close } = await openInstance(config, log);
  try {
    const store = createStorageUsageStore(db);
    const measured = createStorageUsage({ store, clock, dataDir: config.dataDir, onError: () => undefined });
    await measured.measureNow();
    const { workspaces, databaseBytes, disk } = await measured.read({ limit: BATCH_SIZE });
    if (values.json === true) return print(JSON.stringify({ workspaces, databaseBytes, disk }, null, 2));
    for (const { workspace, bytes, runs, files, documents } of workspaces)
      log(
        `${workspace.name} (${workspace.id}): ${megabytes(bytes)}, ${runs.count} runs, ${files.count} files, ${documents.count} documents`,
      );
    log("Sizes of runs are estimated from 50 of every 1,000 runs.");
    log(
      `Database ${megabytes(databaseBytes)}; disk ${megabytes(disk.freeBytes)} free of ${megabytes(disk.totalBytes)}`,
    );
  } finally {
    await close();
  }
}

function nameOf({ kind, workflowName, teamName }: Pick<AdminTask, "kind" | "workflowName" | "teamName">) {
  if (kind === "session") return `session of ${teamName ?? "a team"}`;
  return kind === "ingestion" ? "ingestion of a document" : (workflowName ?? "no workflow");
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
