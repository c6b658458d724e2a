import { statSync } from "node:fs";
import { join } from "node:path";
import { requireDatabaseFile } from "../data-folder.ts";
import { migrate } from "../../storage/migrate.ts";
import { migrations } from "../../storage/migrations/all.ts";
import { stoppedUncleanly } from "../../storage/sqlite/check-file.ts";
import { openConnection, type SqliteConnection } from "../../storage/sqlite/connection.ts";
import { lockFolder } from "../../storage/sqlite/folder-lock.ts";
import { assertNotLockedOut } from "../../storage/sqlite/folder-lockout.ts";
import { DATABASE_FILE, openSqlite } from "../../storage/sqlite/sqlite-db.ts";

export interface SourceTable {
  name: string;
  columns: string[];
  primaryKey: string[];
}

export type SourceRow = Record<string, string | number | null | Uint8Array>;

/** A stopped embedded instance, locked against a start until it is closed. */
export interface Source {
  /** Identifies the instance, to detect changes since an interrupted move. */
  fingerprint: string;
  /** A referenced table comes before the tables that refer to it. */
  tables: SourceTable[];
  rows(table: SourceTable, afterRowId: number, limit: number): { rowId: number; row: SourceRow }[];
  close(): void;
}

const ROW_ID = "_rowid_";

export async function openSource(folder: string): Promise<Source> {
  const path = join(folder, DATABASE_FILE);
  requireDatabaseFile(folder);
  assertNotLockedOut(folder);
  if (stoppedUncleanly(path) || schemaOf(path) !== migrations.at(-1)?.version) await runMigrations(folder);
  const unlock = lockFolder(folder);
  const connection = openConnection(path);
  // Moves the WAL into the file, so that the file alone shows whether anything has changed.
  connection.exec("pragma wal_checkpoint(truncate)");
  const { size, mtimeMs } = statSync(path);
  return {
    fingerprint: `${size} bytes of ${new Date(mtimeMs).toISOString()}`,
    tables: tablesOf(connection),
    rows: ({ name, columns }, afterRowId, limit) =>
      connection
        .prepare(
          `select rowid as ${ROW_ID}, ${columns.map(quoted).join(", ")} from ${quoted(name)}
           where rowid > ? order by rowid limit ?`,
        )
        .all(afterRowId, limit)
        .map(({ [ROW_ID]: rowId, ...row }) => ({ rowId: Number(rowId), row: row as SourceRow })),
    close() {
      connection.close();
      unlock();
    },
  };
}

export function quoted(name: string): string {
  return `"${name}"`;
}

function schemaOf(path: string): number {
  const connection = openConnection(path);
  try {
    return Number(connection.prepare("select max(version) as n from schema_migration").all()[0]?.["n"]);
  } finally {
    connection.close();
  }
}

/** Like a start of the service: recovers from a crash, and refuses a database of a newer version. */
async function runMigrations(folder: string): Promise<void> {
  const db = openSqlite({ folder });
  try {
    await migrate(db, migrations, Date.now());
  } finally {
    await db.close();
  }
}

/** Without the migration table, which the target has, and the full-text index, which is rebuilt there. */
function tablesOf(connection: SqliteConnection): SourceTable[] {
  const names = connection
    .prepare(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'
         and name <> 'schema_migration' and name <> 'document_word' and name not like 'document\\_word\\_%' escape '\\'
       order by rowid`,
    )
    .all()
    .map(({ name }) => String(name));
  const referencesOf = (name: string) =>
    connection
      .prepare(`pragma foreign_key_list(${quoted(name)})`)
      .all()
      .map(({ table }) => String(table));
  return byReferences(names, referencesOf).map((name) => {
    const info = connection.prepare(`pragma table_info(${quoted(name)})`).all();
    return {
      name,
      columns: info.map((column) => String(column["name"])),
      primaryKey: info
        .filter((column) => Number(column["pk"]) > 0)
        .sort((a, b) => Number(a["pk"]) - Number(b["pk"]))
        .map((column) => String(column["name"])),
    };
  });
}

/** A migration may build a referenced table anew, so the order of creation is not enough. */
function byReferences(names: readonly string[], referencesOf: (name: string) => string[]): string[] {
  const ordered = new Set<string>();
  const open = new Set<string>();
  function add(name: string): void {
    if (open.has(name)) return;
    open.add(name);
    for (const referenced of referencesOf(name)) add(referenced);
    ordered.add(name);
  }
  for (const name of names) add(name);
  return [...ordered];
}
