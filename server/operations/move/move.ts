import { AppError } from "../../lib/errors.ts";
import type { FileStores } from "../../lib/file-store.ts";
import type { Db } from "../../storage/db.ts";
import { createPostgresFullTextIndex } from "../../documents/store/full-text-postgres.sql.ts";
import { migrate } from "../../storage/migrate.ts";
import { migrations } from "../../storage/migrations/all.ts";
import { beginMove, finishMove, readMoveState } from "../../storage/move-state.ts";
import { writeLockout } from "../../storage/sqlite/folder-lockout.ts";
import { checksumOfSource, checksumOfTarget } from "./checksum.ts";
import { copyTable } from "./copy-table.ts";
import { moveFiles } from "./move-files.ts";
import { openSource, quoted, type Source } from "./source.ts";

export interface MoveOptions {
  dataDir: string;
  target: Db;
  /** Name of the target for messages: without its password. */
  targetName: string;
  /** Undefined: files stay in the data folder. */
  files: FileStores | undefined;
  log(line: string): void;
}

const CHUNKS_PER_BATCH = 500;
const REPORT_ROWS = 50_000;

/**
 * Copies a stopped embedded instance into PostgreSQL. An interrupted move resumes where it stopped. It is complete once
 * the checksums of both sides match.
 */
export async function move({ dataDir, target, targetName, files, log }: MoveOptions): Promise<void> {
  const source = await openSource(dataDir);
  try {
    await migrate(target, migrations, Date.now());
    await checkTarget(source, target);
    await copyTables(source, target, log);
    await buildFullTextIndex(target, log);
    if (files !== undefined) {
      const moved = await moveFiles(dataDir, files, (n) => n % 1000 === 0 && log(`${n} files …`));
      log(`files: ${moved.files}, ${moved.bytes} bytes, identical on both sides`);
    }
    await verify(source, target, log);
    await finishMove(target);
    writeLockout(dataDir, `This instance was moved to ${targetName}. Start it there, with DATABASE_URL.`);
  } finally {
    source.close();
  }
}

/** The target must be empty, or hold an interrupted move of this same instance. */
async function checkTarget(source: Source, target: Db): Promise<void> {
  const state = await readMoveState(target);
  if (state.source === undefined) {
    for (const { name } of source.tables) {
      const [row] = await target.query(`select 1 as found from ${quoted(name)} limit 1`);
      if (row !== undefined)
        throw new AppError(
          "target_not_empty",
          `The database is not empty: its table ${name} has rows. Use a new database.`,
        );
    }
    await beginMove(target, source.fingerprint);
  } else if (state.source !== source.fingerprint)
    throw new AppError(
      "another_source",
      "The database holds a partial move of another instance, or this instance was used after its move was interrupted. Use a new database.",
    );
}

async function copyTables(source: Source, target: Db, log: MoveOptions["log"]): Promise<void> {
  const { lastRows } = await readMoveState(target);
  for (const table of source.tables) {
    let rows = 0;
    await copyTable(source, target, table, lastRows.get(table.name) ?? 0, (more) => {
      if (Math.floor((rows + more) / REPORT_ROWS) > Math.floor(rows / REPORT_ROWS))
        log(`${table.name}: ${rows + more} rows …`);
      rows += more;
    });
    log(`${table.name}: ${rows} rows copied`);
  }
}

/** Rebuilt from the chunks: the full-text index is the one structure that differs between the two databases. */
async function buildFullTextIndex(target: Db, log: MoveOptions["log"]): Promise<void> {
  const fullText = createPostgresFullTextIndex(target);
  await fullText.prepare();
  const documents = await target.query<{ id: string; owner_id: string; epoch: number; last: number }>(
    `select t.id, t.owner_id, t.epoch, max(c.ordinal) as last from document_chunk as c join task as t on t.id = c.document_id
     group by t.id, t.owner_id, t.epoch order by t.id`,
  );
  for (const { id, owner_id: ownerId, epoch, last } of documents)
    for (let first = 0; first <= last; first += CHUNKS_PER_BATCH) {
      const range = { first, last: first + CHUNKS_PER_BATCH - 1 };
      await target.batch([fullText.add({ documentId: id, ownerId, epoch }, range)], { repeatable: true });
    }
  if (documents.length > 0) log(`full-text index of ${documents.length} documents built`);
}

async function verify(source: Source, target: Db, log: MoveOptions["log"]): Promise<void> {
  const different: string[] = [];
  for (const table of source.tables) {
    const from = checksumOfSource(source, table);
    const to = await checksumOfTarget(target, table);
    if (from.rows === to.rows && from.sum === to.sum)
      log(`${table.name}: ${from.rows} rows, identical on both sides`);
    else different.push(`${table.name} (${from.rows} rows here, ${to.rows} there)`);
  }
  if (different.length > 0)
    throw new AppError(
      "not_the_same",
      `The copy differs from the source: ${different.join(", ")}. The source is unchanged; move into a new database.`,
    );
}
