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
  /** How people call the target: without its password. */
  targetName: string;
  /** Undefined: files stay in the data folder. */
  files: FileStores | undefined;
  say(line: string): void;
}

const CHUNKS_A_STEP = 500;
const REPORT_ROWS = 50_000;

/**
 * Copies a stopped embedded instance into PostgreSQL. Interrupted at any moment and started again, it goes on where it
 * was; done is what has been read back from both sides and found the same.
 */
export async function move({ dataDir, target, targetName, files, say }: MoveOptions): Promise<void> {
  const source = await openSource(dataDir);
  try {
    await migrate(target, migrations, Date.now());
    await admit(source, target);
    await copyTables(source, target, say);
    await indexWords(target, say);
    if (files !== undefined) {
      const moved = await moveFiles(dataDir, files, (n) => n % 1000 === 0 && say(`${n} files …`));
      say(`files: ${moved.files}, ${moved.bytes} bytes, the same on both sides`);
    }
    await verify(source, target, say);
    await finishMove(target);
    writeLockout(dataDir, `This instance was moved to ${targetName}. Start it there, with DATABASE_URL.`);
  } finally {
    source.close();
  }
}

/** Into nothing, or into what an interrupted move of this very instance has left. */
async function admit(source: Source, target: Db): Promise<void> {
  const state = await readMoveState(target);
  if (state.source === undefined) {
    for (const { name } of source.tables) {
      const [row] = await target.query(`select 1 as found from ${quoted(name)} limit 1`);
      if (row !== undefined)
        throw new AppError(
          "target_not_empty",
          `The database is not empty: there are rows in its table ${name}. Move into a new one.`,
        );
    }
    await beginMove(target, source.fingerprint);
  } else if (state.source !== source.fingerprint)
    throw new AppError(
      "another_source",
      "The database holds a part of another instance, or this one was in use since that move was interrupted. Move into a new database.",
    );
}

async function copyTables(source: Source, target: Db, say: MoveOptions["say"]): Promise<void> {
  const { lastRows } = await readMoveState(target);
  for (const table of source.tables) {
    let rows = 0;
    await copyTable(source, target, table, lastRows.get(table.name) ?? 0, (more) => {
      if (Math.floor((rows + more) / REPORT_ROWS) > Math.floor(rows / REPORT_ROWS))
        say(`${table.name}: ${rows + more} rows …`);
      rows += more;
    });
    say(`${table.name}: ${rows} rows copied`);
  }
}

/** Made anew from the chunks' terms: it is the one thing that looks different in the two databases. */
async function indexWords(target: Db, say: MoveOptions["say"]): Promise<void> {
  const fullText = createPostgresFullTextIndex(target);
  await fullText.prepare();
  const documents = await target.query<{ id: string; owner_id: string; epoch: number; last: number }>(
    `select t.id, t.owner_id, t.epoch, max(c.ordinal) as last from document_chunk as c join task as t on t.id = c.document_id
     group by t.id, t.owner_id, t.epoch order by t.id`,
  );
  for (const { id, owner_id: ownerId, epoch, last } of documents)
    for (let first = 0; first <= last; first += CHUNKS_A_STEP) {
      const range = { first, last: first + CHUNKS_A_STEP - 1 };
      await target.batch([fullText.add({ documentId: id, ownerId, epoch }, range)], { repeatable: true });
    }
  if (documents.length > 0) say(`words of ${documents.length} documents indexed`);
}

async function verify(source: Source, target: Db, say: MoveOptions["say"]): Promise<void> {
  const different: string[] = [];
  for (const table of source.tables) {
    const from = checksumOfSource(source, table);
    const to = await checksumOfTarget(target, table);
    if (from.rows === to.rows && from.sum === to.sum)
      say(`${table.name}: ${from.rows} rows, the same on both sides`);
    else different.push(`${table.name} (${from.rows} rows here, ${to.rows} there)`);
  }
  if (different.length > 0)
    throw new AppError(
      "not_the_same",
      `Not everything arrived as it is here: ${different.join(", ")}. Nothing was changed here; move into a new database.`,
    );
}
