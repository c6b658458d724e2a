import { AppError } from "../lib/errors.ts";
import type { Db, Statement } from "./db.ts";

/** Progress of a move from an embedded instance, stored in the target database. */
export interface MoveState {
  /** Undefined when nothing was ever moved into this database. */
  source: string | undefined;
  done: boolean;
  /** The last row copied, by table. */
  lastRows: Map<string, number>;
}

const SOURCE = "source";
const DONE = "done";

export async function readMoveState(db: Db): Promise<MoveState> {
  const state: MoveState = { source: undefined, done: false, lastRows: new Map() };
  const [table] = await db.query("select to_regclass('move_progress') as found");
  if (table?.["found"] === null) return state;
  for (const { name, value } of await db.query<{ name: string; value: string }>(
    "select name, value from move_progress",
  )) {
    if (name === SOURCE) state.source = value;
    else if (name === DONE) state.done = true;
    else state.lastRows.set(name.slice("table ".length), Number(value));
  }
  return state;
}

export async function beginMove(db: Db, source: string): Promise<void> {
  await db.batch([
    { sql: "create table if not exists move_progress (name text primary key, value text not null)" },
    saveProgress(SOURCE, source),
  ]);
}

/** Part of the same transaction as the rows it counts, so progress and rows never disagree. */
export function recordLastRow(table: string, rowId: number): Statement {
  return saveProgress(`table ${table}`, String(rowId));
}

export async function finishMove(db: Db): Promise<void> {
  await db.batch([saveProgress(DONE, "yes")]);
}

/** A service running on half of the tables would treat the missing half as deleted. */
export async function assertNotHalfMoved(db: Db): Promise<void> {
  const { source, done } = await readMoveState(db);
  if (source === undefined || done) return;
  throw new AppError(
    "half_moved",
    "A move from an embedded instance into this database is incomplete. Run `npm run move` again to finish it.",
  );
}

function saveProgress(name: string, value: string): Statement {
  return {
    sql: `insert into move_progress (name, value) values ($name, $value)
          on conflict (name) do update set value = excluded.value`,
    params: { name, value },
  };
}
