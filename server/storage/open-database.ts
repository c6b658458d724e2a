import type { Db } from "./db.ts";
import type { DocumentWords } from "./document-words.ts";
import { createPostgresWords } from "./document-words-postgres.ts";
import { createSqliteWords } from "./document-words-sqlite.ts";
import { refuseHalfMoved } from "./move-state.ts";
import { openPostgres } from "./postgres/open-postgres.ts";
import { openSqlite } from "./sqlite/sqlite-db.ts";

export interface DatabaseSettings {
  /** Of PostgreSQL; without it the embedded database in the data folder is used. */
  url: string | undefined;
  directUrl: string | undefined;
  poolSize: number;
  folder: string;
  onProblem(message: string): void;
}

/** The one place that knows that there are two databases. */
export async function openDatabase({
  url,
  folder,
  ...settings
}: DatabaseSettings): Promise<{ db: Db; words: DocumentWords }> {
  if (url === undefined) {
    const db = openSqlite({ folder });
    return { db, words: createSqliteWords(db) };
  }
  const db = await openPostgres({ url, ...settings });
  await refuseHalfMoved(db).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  return { db, words: createPostgresWords(db) };
}
