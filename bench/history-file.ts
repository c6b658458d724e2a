import { join } from "node:path";
import { createId } from "../server/lib/ids.ts";
import { openConnection } from "../server/storage/sqlite/connection.ts";
import { DATABASE_FILE } from "../server/storage/sqlite/sqlite-db.ts";

const STEPS = 3;
const TASKS_PER_TRANSACTION = 20_000;

/** Writes finished tasks with their journals directly into the database file of a stopped service. */
export function writeHistory(dataDir: string, tasks: number): void {
  const connection = openConnection(join(dataDir, DATABASE_FILE));
  connection.exec("pragma journal_mode = wal; pragma synchronous = off; pragma cache_size = -400000");
  const workflow = connection
    .prepare("select id, owner_id as ownerId from workflow order by id limit 1")
    .all()[0]!;
  const insertTask =
    connection.prepare(`insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, result, depth, epoch,
    wake, lives, lives_seq, created_at, started_at, completed_at) values (?, ?, ?, 1, ?, 'api', '{"name":"Ada"}', ?, 0, 1, 0, 0, 0, ?, ?, ?)`);
  const insertEntry =
    connection.prepare(`insert into journal (task_id, seq, epoch, kind, path, type, status, attempt, final, input, output, started_at, at)
    values (?, ?, 1, ?, ?, 'transform', 'completed', 1, 0, '{"template":"Ada"}', '"Ada"', ?, ?)`);
  const result = JSON.stringify({ output: "Ada", outputs: { s2: "Ada" } });
  const firstAt = Date.now() - 20 * 24 * 3600 * 1000;
  for (let done = 0; done < tasks;) {
    connection.exec("begin");
    for (const until = Math.min(tasks, done + TASKS_PER_TRANSACTION); done < until; done++) {
      const at = firstAt + done * 1000;
      const id = createId("task", at);
      const status = done % 50 === 0 ? "failed" : "completed";
      insertTask.all(id, workflow["ownerId"], workflow["id"], status, result, at, at, at + 5);
      for (let seq = 1; seq <= STEPS; seq++) insertEntry.all(id, seq, "step", `s${seq - 1}`, at, at + seq);
      insertEntry.all(id, STEPS + 1, "status", "", null, at + 5);
    }
    connection.exec("commit");
  }
  connection.exec("pragma wal_checkpoint(truncate)");
  connection.close();
}
