import { AppError } from "../lib/errors.ts";
import type { Db, ExclusiveDb, Statement } from "./db.ts";

export interface Migration {
  version: number;
  name: string;
  /** One list, or one for each database where their SQL differs. */
  statements: readonly string[] | Readonly<Record<Db["dialect"], readonly string[]>>;
  /** SQLite drops a table that others refer to only while it checks no references. */
  rebuildsReferencedTable?: true;
}

/**
 * Forward only, each migration in one transaction with the row that records it. Applies what is not recorded, so that
 * two branches that are merged may add their migrations in any order. A database written by a newer version is refused:
 * this version might misread it.
 */
export function migrate(db: Db, migrations: readonly Migration[], now: number): Promise<number> {
  return db.exclusively((alone) => migrateAlone(alone, db.dialect, migrations, now));
}

async function migrateAlone(
  db: ExclusiveDb,
  dialect: Db["dialect"],
  migrations: readonly Migration[],
  now: number,
): Promise<number> {
  const applied = await appliedVersions(db);
  const current = Math.max(0, ...applied);
  const newest = migrations.at(-1)?.version ?? 0;
  if (current > newest) {
    throw new AppError(
      "schema_too_new",
      `The database has schema version ${current}; this version of Baton supports up to ${newest}. Start the newer version, or restore a backup made before the upgrade.`,
    );
  }
  const recordOf = ({ version, name }: Migration): Statement => ({
    sql: "insert into schema_migration (version, name, applied_at) values ($version, $name, $now)",
    params: { version, name, now },
  });
  for (const migration of migrations.filter(({ version }) => !applied.has(version))) {
    const { statements, rebuildsReferencedTable } = migration;
    const own = "sqlite" in statements ? statements[dialect] : statements;
    const isUnchecked = dialect === "sqlite" && rebuildsReferencedTable === true;
    // Has no effect inside a transaction, so it is not part of the batch.
    if (isUnchecked) await db.query("pragma foreign_keys = off");
    try {
      await db.batch([...own.map((sql) => ({ sql })), recordOf(migration)]);
    } finally {
      if (isUnchecked) await db.query("pragma foreign_keys = on");
    }
  }
  return newest;
}

/** Read before it is created: a role without the right to create tables can still use an up-to-date database. */
async function appliedVersions(db: ExclusiveDb): Promise<Set<number>> {
  const read = () => db.query<{ version: number }>("select version from schema_migration");
  const found = await read().catch(async () => {
    await db.batch([
      {
        sql: "create table if not exists schema_migration (version bigint primary key, name text not null, applied_at bigint not null)",
      },
    ]);
    return read();
  });
  return new Set(found.map(({ version }) => Number(version)));
}
