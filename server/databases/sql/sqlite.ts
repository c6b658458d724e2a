import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, rm, stat } from "node:fs/promises";
import { setPriority } from "node:os";
import { createInterface } from "node:readline";
import { createDeadline } from "../../lib/deadline.ts";
import { AppError } from "../../lib/errors.ts";
import type { FairQueue } from "../../lib/fair-queue.ts";
import { createKeyedQueue } from "../../lib/keyed-queue.ts";
import { workerProgram } from "../../lib/worker-file.ts";
import type { RunFiles } from "../../run-files/run-files.ts";
import { namesOf } from "../../steps/file-path.ts";
import { MAX_OWNER_FILE_BYTES, type OwnerFiles, type OwnerFolders } from "../../steps/owner-files.ts";
import { permanentFailure } from "../../steps/step-failure.ts";
import { bindParameters, hasSeveralStatements } from "./named-parameters.ts";
import { queryFailure } from "./query-failure.ts";
import { tooManyBytes } from "./received-bytes.ts";
import {
  BATCH_ROWS,
  type Row,
  type RowSink,
  type SqlDriver,
  type SqlJob,
  type SqlStatement,
  type StatementSummary,
} from "./sql-driver.ts";
import { firstWord } from "./sql-tokens.ts";
import type { SqliteEnd, SqliteJob } from "./sqlite-message.ts";

export interface SqliteDeps {
  folders: OwnerFolders;
  runFiles: Pick<RunFiles, "newPath">;
  /** Serves owners in turn: a query works on a core of this machine, unlike one of a database server. */
  queue: Pick<FairQueue, "run">;
  /** Limits a query, whatever the time limit of its step is. */
  maxRunMs?: number;
}

const MAX_RUN_MS = 60_000;
/** Limits the JavaScript heap of the process; SQLite has its own limit. */
const MAX_OLD_SPACE_MB = 256;
/** Below the service and its other processes. */
const PRIORITY = 10;
/** Rows are passed on in smaller batches when they are large. */
const BATCH_BYTES = 8 * 1024 * 1024;

/** Statements that cannot change the file. A WITH may end in an update. */
const READS_ONLY = new Set(["select", "values", "explain"]);

/**
 * The owner's SQLite files. A read opens the file as it is. A write works on a copy that replaces the file when all
 * statements have succeeded, so a crash, a time limit or a failure leaves the file as it was.
 */
export function createSqliteDrivers({ folders, runFiles, queue, maxRunMs = MAX_RUN_MS }: SqliteDeps) {
  /** Writers of one file take turns: a copy that is older than the file would undo the last write. */
  const turns = createKeyedQueue();

  function runInTurn(
    ownerId: string,
    job: SqlJob,
    file: Pick<SqliteJob, "path" | "readOnly">,
    sink: RowSink,
    signal: AbortSignal,
  ): Promise<StatementSummary[]> {
    return queue.run(
      ownerId,
      async () => {
        const deadline = createDeadline(maxRunMs, { outer: signal, reason: () => tooSlow(maxRunMs) });
        try {
          return await runJob(job, file, sink, deadline.signal);
        } finally {
          deadline.clear();
        }
      },
      { signal },
    );
  }

  async function write(
    files: OwnerFiles,
    key: string,
    run: (path: string) => Promise<StatementSummary[]>,
  ): Promise<StatementSummary[]> {
    const path = await runFiles.newPath();
    try {
      const before = await copyOf(files, key, path);
      const summaries = await run(path);
      if ((await hashIn(files, key)) !== before)
        throw new AppError(
          "query_failed",
          `Another process changed "${key}" meanwhile. Run the step again.`,
          {
            retryable: true,
          },
        );
      const { size } = await stat(path);
      await files.writeFile(key, { path, bytes: size, sha256: await hashOf(path) });
      return summaries;
    } finally {
      await rm(path, { force: true });
      await rm(`${path}-journal`, { force: true });
    }
  }

  return (ownerId: string, path: string): SqlDriver => {
    const key = namesOf(path).join("/");
    if (key === "") throw permanentFailure("invalid_path", "The SQLite URL of the connection names no file.");
    return async (job, sink, signal) => {
      for (const statement of job.statements) checkStatement(statement);
      const files = folders(ownerId);
      if (job.statements.every(({ query }) => READS_ONLY.has(firstWord(query))))
        return files.withLocalFile(key, (local) =>
          runInTurn(ownerId, job, { path: local, readOnly: true }, sink, signal),
        );
      return turns.run(`${ownerId}/${key}`, () =>
        write(files, key, (local) => runInTurn(ownerId, job, { path: local, readOnly: false }, sink, signal)),
      );
    };
  };
}

/** SQLite would run the first statement and silently ignore the others. */
function checkStatement(statement: SqlStatement): void {
  bindParameters(statement, () => "?");
  if (!hasSeveralStatements(statement.query)) return;
  throw permanentFailure(
    "query_failed",
    "A query is one statement. Use operation: transaction with a list of statements for several.",
  );
}

/** Undefined for a file that does not exist: the first statement creates it. */
async function copyOf(files: OwnerFiles, key: string, path: string): Promise<string | undefined> {
  if (!(await files.exists(key))) return undefined;
  await files.withLocalFile(key, (local) => copyFile(local, path));
  return hashOf(path);
}

async function hashIn(files: OwnerFiles, key: string): Promise<string | undefined> {
  return (await files.exists(key)) ? files.withLocalFile(key, hashOf) : undefined;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest("hex");
}

async function runJob(
  job: SqlJob,
  { path, readOnly }: Pick<SqliteJob, "path" | "readOnly">,
  sink: RowSink,
  signal: AbortSignal,
): Promise<StatementSummary[]> {
  signal.throwIfAborted();
  const { statements, transaction, maxRows, maxReceivedBytes, maxHeldBytes } = job;
  const message: SqliteJob = {
    statements,
    transaction: transaction || statements.length > 1,
    maxRows,
    maxReceivedBytes,
    maxHeldBytes,
    path,
    readOnly,
    maxFileBytes: MAX_OWNER_FILE_BYTES,
  };
  const child = startProcess(message);
  const kill = (): void => void child.kill("SIGKILL");
  signal.addEventListener("abort", kill);
  try {
    return await readLines(child, job.maxReceivedBytes, sink);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", kill);
    kill();
  }
}

function startProcess(job: SqliteJob): ChildProcess {
  const { file, execArgv } = workerProgram(new URL("./sqlite.worker.ts", import.meta.url));
  // An empty environment: SQLITE_TMPDIR and the settings of the service are not for it.
  const options = [`--max-old-space-size=${MAX_OLD_SPACE_MB}`, ...execArgv];
  const child = spawn(process.execPath, [...options, file], { env: {}, stdio: ["pipe", "pipe", "ignore"] });
  if (child.pid !== undefined) lowerPriority(child.pid);
  // A process that ended early reports why at its end.
  child.stdin?.on("error", () => undefined).end(JSON.stringify(job));
  return child;
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, PRIORITY);
  } catch {
    // The process has ended already.
  }
}

async function readLines(child: ChildProcess, maxBytes: number, sink: RowSink): Promise<StatementSummary[]> {
  let received = 0;
  let held = 0;
  const failed = new Promise<never>((_resolve, reject) => {
    child.once("error", reject);
    // Before a line is complete: it could be larger than the memory.
    child.stdout!.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received <= maxBytes) return;
      child.kill("SIGKILL");
      reject(tooManyBytes(maxBytes));
    });
  });
  failed.catch(() => undefined);
  let batch: [statement: number, rows: Row[]] = [0, []];
  const flush = async (next: number): Promise<void> => {
    if (batch[1].length > 0) await sink(...batch);
    batch = [next, []];
    held = 0;
  };
  const lines = createInterface({ input: child.stdout! });
  const read = async (): Promise<StatementSummary[]> => {
    for await (const line of lines) {
      const message = JSON.parse(line) as [number, Row] | SqliteEnd;
      if (!Array.isArray(message)) {
        await flush(0);
        if (message.type === "done") return message.summaries;
        if (message.type === "too_large") throw tooManyBytes(message.bytes);
        throw queryFailure(new Error(message.message), undefined, false);
      }
      const [statement, row] = message;
      if (statement !== batch[0] || batch[1].length >= BATCH_ROWS || held > BATCH_BYTES)
        await flush(statement);
      batch[1].push(row);
      held += line.length;
    }
    throw permanentFailure(
      "query_failed",
      "SQLite ended early. The file may be damaged or need too much memory.",
    );
  };
  return Promise.race([read(), failed]);
}

function tooSlow(ms: number): AppError {
  return permanentFailure("query_failed", `The query on the SQLite file took longer than ${ms} ms.`);
}
