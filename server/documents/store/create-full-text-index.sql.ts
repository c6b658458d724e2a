import type { Db } from "../../storage/db.ts";
import { createPostgresFullTextIndex } from "./full-text-postgres.sql.ts";
import { createSqliteFullTextIndex } from "./full-text-sqlite.sql.ts";
import type { FullTextIndex } from "./full-text.sql.ts";

/** Full-text search has no portable SQL, so each database has its own index. */
export function createFullTextIndex(db: Db): FullTextIndex {
  return db.dialect === "sqlite" ? createSqliteFullTextIndex(db) : createPostgresFullTextIndex(db);
}
