import { constants } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import packageFile from "../../package.json" with { type: "json" };
import { AppError } from "../lib/errors.ts";
import { syncFolder, withFile } from "../storage/files/durable-file.ts";
import { openConnection, type SqliteConnection } from "../storage/sqlite/connection.ts";
import { DATABASE_FILE } from "../storage/sqlite/sqlite-db.ts";
import { copyDurably, fingerprintOf, syncFolders } from "./copy-file.ts";
import {
  ignoreMissing,
  isEmptyFolder,
  KEY_FILES,
  requireDatabaseFile,
  walkFileAreas,
} from "./data-folder.ts";
import { type BackedUpFile, type Manifest, writeManifest } from "./manifest.ts";

export interface BackupOptions {
  dataDir: string;
  /** Created if missing; must be empty. */
  target: string;
  log(line: string): void;
}

/**
 * Copies the embedded instance while it runs, from a separate process: in WAL mode a reader sees a consistent snapshot,
 * however long it reads. Files are copied after the database, so every file it refers to is included unless its record
 * was deleted meanwhile. Durable when it resolves.
 */
export async function backUp({ dataDir, target, log }: BackupOptions): Promise<Manifest> {
  await checkFolders(dataDir, target);
  await mkdir(target, { recursive: true, mode: 0o700 });
  await chmod(target, 0o700);

  log(`the database …`);
  copyDatabase(join(dataDir, DATABASE_FILE), join(target, DATABASE_FILE));
  await chmod(join(target, DATABASE_FILE), 0o600);
  await withFile(join(target, DATABASE_FILE), constants.O_RDWR, (file) => file.sync());
  const { schemaVersion, rows } = examine(join(target, DATABASE_FILE));
  const files: BackedUpFile[] = [
    { path: DATABASE_FILE, ...(await fingerprintOf(join(target, DATABASE_FILE))) },
  ];
  const copy = async (path: string): Promise<void> => {
    const copied = await copyDurably(join(dataDir, path), join(target, path)).catch(ignoreMissing);
    if ("sha256" in copied) files.push({ path, ...copied });
  };

  for (const name of KEY_FILES) await copy(name);
  const keys = files.length - 1;
  for await (const path of walkFileAreas(dataDir)) {
    await copy(path);
    if (files.length % 1000 === 0) log(`${files.length} files …`);
  }
  log(`${files.length - 1 - keys} files, ${keys} of ${KEY_FILES.length} keys`);

  const manifest = {
    createdAt: new Date().toISOString(),
    programVersion: packageFile.version,
    schemaVersion,
    rows,
    files,
  };
  await syncFolders(target, files);
  await writeManifest(target, manifest);
  await syncFolder(target);
  return { format: "baton-backup", formatVersion: 1, ...manifest };
}

async function checkFolders(dataDir: string, target: string): Promise<void> {
  requireDatabaseFile(dataDir);
  const inside = relative(resolve(dataDir), resolve(target));
  if (!inside.startsWith(".."))
    throw new AppError(
      "invalid_target",
      `A backup cannot be inside the data folder: ${target}. Choose another folder.`,
    );
  if (!(await isEmptyFolder(target)))
    throw new AppError("invalid_target", `${target} is not empty. Use a new folder for each backup.`);
}

function copyDatabase(from: string, to: string): void {
  const connection = openConnection(from);
  try {
    connection.exec("pragma busy_timeout = 30000; pragma synchronous = full");
    // One read transaction from start to end. SQLite's backup API restarts with every write of another process and would
    // never finish while the service is busy.
    connection.exec(`vacuum into '${to.replaceAll("'", "''")}'`);
  } finally {
    connection.close();
  }
}

/** The copy is verified before it counts as a backup. */
function examine(path: string): { schemaVersion: number; rows: Record<string, number> } {
  const connection = openConnection(path);
  try {
    const problem = String(connection.prepare("pragma integrity_check(1)").all()[0]?.["integrity_check"]);
    if (problem !== "ok")
      throw new AppError(
        "database_damaged",
        `The database is damaged (${problem}), and so is this copy. Keep your earlier backups.`,
      );
    const isBaton = connection.prepare("select 1 from sqlite_master where name = 'schema_migration'").all();
    if (isBaton.length === 0)
      throw new AppError(
        "database_damaged",
        "The database file is empty or has none of Baton's tables. Check DATA_DIR, and keep your earlier backups.",
      );
    return {
      schemaVersion: countOf(connection, "max(version)", "schema_migration"),
      rows: rowsOf(connection),
    };
  } finally {
    connection.close();
  }
}

function rowsOf(connection: SqliteConnection): Record<string, number> {
  // Excludes the shadow tables of a virtual table, such as `document_word_data`: SQLite lists them as ordinary tables.
  const tables = connection
    .prepare(
      `select t.name from sqlite_master as t where t.type = 'table' and t.sql not like 'create virtual%'
         and t.name not like 'sqlite\\_%' escape '\\' and not exists (select 1 from sqlite_master as v
           where v.sql like 'create virtual%' and t.name like v.name || '\\_%' escape '\\') order by t.name`,
    )
    .all()
    .map((row) => String(row["name"]));
  return Object.fromEntries(tables.map((name) => [name, countOf(connection, "count(*)", name)]));
}

function countOf(connection: SqliteConnection, what: string, table: string): number {
  return Number(connection.prepare(`select ${what} as n from "${table}"`).all()[0]?.["n"] ?? 0);
}
