import { AppError } from "../lib/errors.ts";
import type { Db, Statement } from "./db.ts";

/** How far a move from an embedded instance has come, kept in the database that it moves to. */
export interface MoveState {
  /** Undefined when nothing was ever moved here. */
  source: string | undefined;
  done: boolean;
  /** The last row that was copied, by table. */
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
    note(SOURCE, source),
  ]);
}

/** Goes into the transaction of the rows that it counts. */
export function noteLastRow(table: string, rowId: number): Statement {
  return note(`table ${table}`, String(rowId));
}

export async function finishMove(db: Db): Promise<void> {
  await db.batch([note(DONE, "yes")]);
}

/** A service on half of the tables would take the missing half for deleted. */
export async function refuseHalfMoved(db: Db): Promise<void> {
  const { source, done } = await readMoveState(db);
  if (source === undefined || done) return;
  throw new AppError(
    "half_moved",
    "An embedded instance is being moved into this database, and not all of it is there. Finish it: start `npm run move` again.",
  );
}

function note(name: string, value: string): Statement {
  return {
    sql: `insert into move_progress (name, value) values ($1, $2)
          on conflict (name) do update set value = excluded.value`,
    params: [name, value],
  };
}
