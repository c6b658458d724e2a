import type { Db } from "../../storage/db.ts";
import { createPostgresWords } from "./full-text-postgres.sql.ts";
import { createSqliteWords } from "./full-text-sqlite.sql.ts";
import type { DocumentWords } from "./full-text.sql.ts";

/** Full-text search has no portable SQL, so each database has an index of its own. */
export function createFullText(db: Db): DocumentWords {
  return db.dialect === "sqlite" ? createSqliteWords(db) : createPostgresWords(db);
}
