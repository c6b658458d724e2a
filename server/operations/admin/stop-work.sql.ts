import { SYSTEM } from "../../../contract/teams.ts";
import { createAdminTaskStore, type OpenTask } from "../../administration/admin-task.sql.ts";
import { createDocumentStore } from "../../documents/store/document.sql.ts";
import type { Db } from "../../storage/db.ts";
import { cancelTasks, workspaceIdOf } from "../../storage/engine/cancel-tasks.ts";
import { createSessionStore } from "../../teams/store/session.sql.ts";

const PER_BATCH = 100;

/** Stops a run, a session or an ingestion; returns how many tasks ended. A running service notices by itself. */
export async function stopOne(db: Db, id: string, now: () => number): Promise<number> {
  const task = await createAdminTaskStore(db).findOpen(id);
  if (task === undefined) return 0;
  return task.kind === "run" ? cancelTasks(db, { root: id }, now) : stopHidden(db, task, now());
}

export async function stopWorkspace(db: Db, owner: string, now: () => number): Promise<number> {
  const workspaceId = await workspaceIdOf(db, owner);
  let stopped = await cancelTasks(db, { owner: workspaceId }, now);
  for (let ended = Infinity; ended > 0; stopped += ended) {
    ended = 0;
    const tasks = await createAdminTaskStore(db).listOpen(workspaceId, PER_BATCH);
    for (const task of tasks) if (task.kind !== "run") ended += await stopHidden(db, task, now());
  }
  return stopped;
}

async function stopHidden(db: Db, { id, kind }: OpenTask, now: number): Promise<number> {
  if (kind === "ingestion") return (await createDocumentStore(db).stop(id, now)) ? 1 : 0;
  const cancelled = await createSessionStore(db).cancel(id, SYSTEM, now);
  // Without a payload: clients of the room read the log again.
  db.notify("war_room", "");
  return cancelled === undefined ? 0 : 1;
}
