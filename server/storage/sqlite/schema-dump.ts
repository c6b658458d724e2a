import { readFileSync } from "node:fs";
import type { Db } from "../db.ts";

/** The schema that migrations create in an empty SQLite database, and their versions. */
export interface SchemaDump {
  versions: number[];
  statements: string[];
}

/** Without its migrations' table, which `migrate` creates before it reads what is applied. */
export async function dumpSchema(db: Db): Promise<SchemaDump> {
  const applied = await db.query<{ version: number }>(
    "select version from schema_migration order by version",
  );
  const schema = await db.query<{ sql: string }>(
    `select sql from sqlite_master where sql is not null and name not like 'sqlite\\_%' escape '\\'
       and name <> 'schema_migration'
     order by case type when 'table' then 1 when 'index' then 2 else 3 end, rowid`,
  );
  return { versions: applied.map(({ version }) => version), statements: schema.map(({ sql }) => sql) };
}

/** The dump that `scripts/build.mjs` stored next to the bundle; undefined when the sources run. */
export function readSchemaDump(): SchemaDump | undefined {
  try {
    return JSON.parse(readFileSync(new URL("./sqlite-schema.json", import.meta.url), "utf8")) as SchemaDump;
  } catch {
    return undefined;
  }
}
