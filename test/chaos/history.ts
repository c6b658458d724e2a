import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openConnection } from "../../server/storage/sqlite/connection.ts";
import { DATABASE_FILE } from "../../server/storage/sqlite/sqlite-db.ts";

export interface HistoryTask {
  id: string;
  workflowId: string;
  status: string;
  input: string;
  result: string | null;
  error?: string | null;
  parentTaskId?: string | null;
}

export interface HistoryEntry {
  taskId: string;
  seq: number;
  kind: string;
  path: string;
  status: string;
  output: string | null;
  at: number;
}

export interface History {
  tasks: Map<string, HistoryTask>;
  entries: Map<string, HistoryEntry[]>;
}

/** Every task acknowledged with a 2xx, and its expected result. */
export type Accepted = ReadonlyMap<string, { output: string }>;

const FINAL = new Set(["completed", "failed", "cancelled", "rejected"]);
export const isFinal = (status: string): boolean => FINAL.has(status);

/** Reads a copy: opening the files would recover the WAL, which the service must do. */
export function readHistory(dataDir: string): History {
  const folder = mkdtempSync(join(tmpdir(), "baton-history-"));
  for (const suffix of ["", "-wal"]) {
    const file = join(dataDir, DATABASE_FILE + suffix);
    if (existsSync(file)) cpSync(file, join(folder, DATABASE_FILE + suffix));
  }
  const connection = openConnection(join(folder, DATABASE_FILE));
  try {
    // A process may be killed before it has created its tables.
    if (connection.prepare("select 1 from sqlite_master where name = 'journal'").all().length === 0)
      return { tasks: new Map(), entries: new Map() };
    const tasks = connection
      .prepare(
        "select id, workflow_id as workflowId, status, input, result, error, parent_task_id as parentTaskId from task",
      )
      .all();
    const entries = connection
      .prepare(
        "select task_id as taskId, seq, kind, path, status, output, at from journal order by task_id, seq",
      )
      .all();
    return historyOf(tasks as unknown as HistoryTask[], entries as unknown as HistoryEntry[]);
  } finally {
    connection.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export function historyOf(tasks: readonly HistoryTask[], entries: readonly HistoryEntry[]): History {
  const byTask = new Map<string, HistoryEntry[]>();
  for (const entry of entries) {
    const list = byTask.get(entry.taskId);
    if (list === undefined) byTask.set(entry.taskId, [entry]);
    else list.push(entry);
  }
  return { tasks: new Map(tasks.map((task) => [task.id, task])), entries: byTask };
}

/** Invariants of every history at every moment. */
export function faultsOf({ tasks, entries }: History): string[] {
  const faults: string[] = [];
  for (const [taskId, list] of entries) {
    const task = tasks.get(taskId);
    if (task === undefined) faults.push(`${taskId}: a journal without a task`);
    const recorded = new Map<string, HistoryEntry>();
    let ended: string | undefined;
    list.forEach((entry, index) => {
      if (entry.seq !== index + 1) faults.push(`${taskId}: entry ${index + 1} has number ${entry.seq}`);
      if (entry.kind === "rerun") {
        for (const path of JSON.parse(entry.output ?? "[]") as string[]) recorded.delete(path);
        ended = undefined;
        return;
      }
      if (ended !== undefined) faults.push(`${taskId}: ${entry.kind} ${entry.path} after the end`);
      if (entry.kind === "status") ended = entry.status;
      if (entry.kind !== "step") return;
      if (recorded.has(entry.path)) faults.push(`${taskId}: ${entry.path} recorded twice`);
      recorded.set(entry.path, entry);
    });
    if (task !== undefined && isFinal(task.status) !== (ended !== undefined)) {
      faults.push(
        `${taskId}: is ${task.status}, its journal ${ended === undefined ? "has not ended" : `ended ${ended}`}`,
      );
    }
  }
  return faults;
}

export interface Repeat {
  taskId: string;
  path: string;
  recordedAt: number;
  arrivedAt: number;
}

/** Effects that happened after the result of their step was recorded. */
export function repeatsOf({ entries }: History, arrivals: ReadonlyMap<string, readonly number[]>): Repeat[] {
  const repeats: Repeat[] = [];
  for (const [taskId, list] of entries) {
    list.forEach(({ kind, path, at: recordedAt }, index) => {
      if (kind !== "step") return;
      const rerunAt = list.slice(index).find((entry) => entry.kind === "rerun")?.at ?? Infinity;
      for (const arrivedAt of arrivals.get(`${taskId}:${path}`) ?? [])
        if (arrivedAt > recordedAt && arrivedAt < rerunAt)
          repeats.push({ taskId, path, recordedAt, arrivedAt });
    });
  }
  return repeats;
}

export const describeRepeat = ({ taskId, path, recordedAt, arrivedAt }: Repeat): string =>
  `${taskId}: ${path} executed ${arrivedAt - recordedAt} ms after its result was recorded`;

/** Stored rows do not change: entries are only added, and an ended task stays ended. */
export function changesOf(before: History, after: History): string[] {
  const faults: string[] = [];
  const rerunSince = (id: string): boolean =>
    (after.entries.get(id) ?? [])
      .slice(before.entries.get(id)?.length ?? 0)
      .some(({ kind }) => kind === "rerun");
  for (const [id, { status }] of before.tasks) {
    const now = after.tasks.get(id);
    if (now === undefined) faults.push(`${id}: gone`);
    else if (isFinal(status) && now.status !== status && !rerunSince(id))
      faults.push(`${id}: went from ${status} to ${now.status}`);
  }
  for (const [id, list] of before.entries) {
    const now = after.entries.get(id) ?? [];
    list.forEach((entry, index) => {
      if (JSON.stringify(now[index]) !== JSON.stringify(entry))
        faults.push(`${id}: entry ${entry.seq} has changed`);
    });
  }
  return faults;
}

/** A slow step whose process was killed three times is failed by design; its executions are checked like all others. */
export function isPoisoned({ error }: HistoryTask): boolean {
  return (
    error !== undefined && error !== null && (JSON.parse(error) as { code: string }).code === "poison_task"
  );
}

/** Acknowledged tasks that are missing or unfinished. */
export function lostOf({ tasks }: History, accepted: Accepted): string[] {
  return [...accepted.keys()]
    .filter((id) => {
      const task = tasks.get(id);
      return task === undefined || (task.status !== "completed" && !isPoisoned(task));
    })
    .map((id) => `${id}: ${tasks.get(id)?.status ?? "gone"}`);
}

/** Every task completes, and every acknowledged one with the expected output; except poisoned ones, and their children, which are cancelled with them. */
export function wrongEnds({ tasks, entries }: History, accepted: Accepted): string[] {
  const faults: string[] = [];
  for (const task of tasks.values()) {
    const { id, status, result } = task;
    const parent = tasks.get(task.parentTaskId ?? "");
    if (isPoisoned(task) || (status === "cancelled" && parent !== undefined && isPoisoned(parent))) continue;
    const expected = accepted.get(id)?.output;
    const output = JSON.stringify((JSON.parse(result ?? "null") as { output: unknown } | null)?.output);
    const journal = (): string =>
      (entries.get(id) ?? []).map((entry) => `\n    ${JSON.stringify(entry)}`).join("");
    if (status !== "completed") faults.push(`${id}: ended ${status}${journal()}`);
    else if (expected !== undefined && output !== expected)
      faults.push(`${id}: ended with ${output} instead of ${expected}${journal()}`);
  }
  return faults;
}
