import { EventEmitter } from "node:events";
import { closeSync, fdatasync, openSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { asDiskFault } from "../../lib/disk-fault.ts";
import { AppError, messageOf } from "../../lib/errors.ts";
import type { Db, Row } from "../db.ts";
import { checkFile, stoppedUncleanly } from "./check-file.ts";
import { createCompact } from "./compact.ts";
import { type SqliteConnection, openConnection } from "./connection.ts";
import { lockFolder } from "./folder-lock.ts";
import { assertNotLockedOut } from "./folder-lockout.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createDatabaseFile } from "./new-database.ts";
import { createStatementCache } from "./prepared.ts";
import { createTurnWatch } from "./turn-watch.ts";

const syncToDisk = promisify(fdatasync);

export const DATABASE_FILE = "baton.sqlite";

export interface SqliteOptions {
  folder: string;
  /** A new database begins as a copy of this file. */
  template?: URL;
  /** Replaced by tests that simulate a failing disk. */
  sync?: (fd: number) => Promise<void>;
}

/**
 * SQLite in WAL mode without its own fsync at commit (`synchronous = normal`): the WAL file is synced here,
 * asynchronously, before a write is acknowledged. The event loop never waits for the disk, and a power cut loses no
 * acknowledged write.
 */
export function openSqlite({ folder, template, sync = syncToDisk }: SqliteOptions): Db {
  assertNotLockedOut(folder);
  const unlock = lockFolder(folder);
  const path = join(folder, DATABASE_FILE);
  let connection: SqliteConnection | undefined;
  let walFd: number;
  try {
    const unclean = stoppedUncleanly(path);
    createDatabaseFile(path, template);
    connection = openConnection(path);
    if (unclean) checkFile(connection, path);
    prepareFile(connection, path);
    // Open until the database closes. The WAL carries no POSIX locks, so closing this descriptor drops none of SQLite's;
    // opening and closing the main file would.
    walFd = openSync(`${path}-wal`, "r+");
  } catch (error) {
    connection?.close();
    unlock();
    throw error;
  }
  const { run, write, read } = createStatementCache(connection);
  let syncFailed = false;
  let closed = false;

  const commits = createGroupCommit({
    run,
    write,
    async sync() {
      // After a failed fsync the kernel may have dropped the pages; a checkpoint writes them again elsewhere.
      if (syncFailed) run("pragma wal_checkpoint(full)");
      try {
        await sync(walFd);
        syncFailed = false;
      } catch (error) {
        syncFailed = true;
        throw error;
      }
    },
  });
  const compact = createCompact(run);
  const channels = new EventEmitter().setMaxListeners(0);

  const isLong = createTurnWatch();

  const db: Db = {
    async query<T extends Row>(sql: string, params?: Parameters<Db["query"]>[1]): Promise<T[]> {
      // SQLite reads synchronously: a caller that reads page after page would starve every other request.
      while (isLong()) await new Promise((resolve) => setImmediate(resolve));
      try {
        return read(sql, params) as T[];
      } catch (error) {
        throw asDiskFault(error);
      }
    },
    batch(statements) {
      // Rejected here and not in the queue, so that the stack trace names the caller that writes after close.
      if (closed) return Promise.reject(new Error("The database is closed."));
      return commits.submit(statements).catch((error: unknown) => Promise.reject(asDiskFault(error)));
    },
    listen(channel, handler) {
      channels.on(channel, handler);
      return Promise.resolve(() => {
        channels.off(channel, handler);
        return Promise.resolve();
      });
    },
    notify(channel, payload) {
      setImmediate(() => channels.emit(channel, payload));
    },
    // The folder lock keeps every other process out.
    exclusively: (work) => work(db),
    dialect: "sqlite",
    writers: 1,
    copiesRows: false,
    compact: () => new Promise((resolve) => resolve(compact())),
    async close() {
      closed = true;
      await commits.idle();
      emptyWal(run);
      closeSync(walFd);
      connection.close();
      unlock();
    },
  };
  return db;
}

/**
 * SQLite does this when the last connection closes, but not while that connection holds prepared statements, as this
 * one does. Without it every stop would look unclean to the next start, which would then check the whole file.
 */
function emptyWal(run: (sql: string) => Row[]): void {
  try {
    run("pragma wal_checkpoint(truncate)");
  } catch {
    // The disk is full. Everything is in the WAL, and the next start reads it from there.
  }
}

function prepareFile(connection: SqliteConnection, path: string): void {
  try {
    // auto_vacuum must be set before the first table is created; it lets the file shrink after pruning.
    connection.exec(
      "pragma auto_vacuum = incremental; pragma journal_mode = wal; pragma synchronous = normal",
    );
    connection.exec("pragma foreign_keys = on; pragma busy_timeout = 5000; pragma temp_store = memory");
    // The WAL file must exist before its descriptor is opened.
    connection.exec(
      "begin immediate; create table if not exists wal_opened (n integer); drop table wal_opened; commit",
    );
  } catch (cause) {
    throw new AppError("database_unreadable", `The database ${path} cannot be opened: ${messageOf(cause)}.`, {
      cause,
    });
  }
}
