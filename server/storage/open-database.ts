import { type Clock, systemClock } from "../lib/clock.ts";
import type { Db } from "./db.ts";
import { assertNotHalfMoved } from "./move-state.ts";
import { openPostgres } from "./postgres/open-postgres.ts";
import { followServerClock } from "./postgres/server-clock.ts";
import { openSqlite } from "./sqlite/sqlite-db.ts";

export interface DatabaseSettings {
  /** PostgreSQL address; without it the embedded SQLite database in the data folder is used. */
  url: string | undefined;
  directUrl: string | undefined;
  poolSize: number;
  folder: string;
  onProblem(message: string): void;
}

export interface OpenedDatabase {
  db: Db;
  /** Shared by all processes on this database. */
  clock: Clock;
}

/** `scripts/build.mjs` stores it next to the bundle. It is missing when the sources run: then `migrate` creates every table. */
const TEMPLATE = new URL("./new-database.sqlite", import.meta.url);

/** The one place that chooses between SQLite and PostgreSQL. */
export async function openDatabase({ url, folder, ...settings }: DatabaseSettings): Promise<OpenedDatabase> {
  if (url === undefined) {
    const db = openSqlite({ folder, template: TEMPLATE });
    return { db, clock: systemClock };
  }
  const db = await openPostgres({ url, ...settings });
  try {
    await assertNotHalfMoved(db);
    const { clock, stop } = await followServerClock(db, systemClock, settings.onProblem);
    const close = (): Promise<void> => (stop(), db.close());
    return { db: { ...db, close }, clock };
  } catch (error) {
    await db.close();
    throw error;
  }
}
