import type { PageQuery } from "../../contract/api.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Db, Row } from "../storage/db.ts";
import { deleteFirst } from "../storage/delete-first.ts";

export interface VariableRecord {
  name: string;
  secret: boolean;
  /** JSON text; for a secret, the sealed text. */
  value: string;
  updatedAt: number;
}

export type VariableStore = ReturnType<typeof createVariableStore>;

const COLUMNS = "name, secret, value, updated_at";

export function createVariableStore(db: Db) {
  return {
    async upsert(ownerId: string, { name, secret, value, updatedAt }: VariableRecord): Promise<void> {
      await db.batch([
        {
          sql: `insert into variable (owner_id, name, secret, value, updated_at) values ($ownerId, $name, $secret, $value, $updatedAt)
                on conflict (owner_id, name) do update
                  set secret = excluded.secret, value = excluded.value, updated_at = excluded.updated_at`,
          params: { ownerId, name, secret: Number(secret), value, updatedAt },
        },
      ]);
    },

    /** False when the name is taken. */
    async insert(ownerId: string, { name, secret, value, updatedAt }: VariableRecord): Promise<boolean> {
      const [inserted] = await db.batch([
        {
          sql: `insert into variable (owner_id, name, secret, value, updated_at) values ($ownerId, $name, $secret, $value, $updatedAt)
                on conflict do nothing returning name`,
          params: { ownerId, name, secret: Number(secret), value, updatedAt },
        },
      ]);
      return inserted?.length === 1;
    },

    async find(ownerId: string, name: string): Promise<VariableRecord | undefined> {
      const [row] = await db.query(
        `select ${COLUMNS} from variable where owner_id = $ownerId and name = $name`,
        {
          ownerId,
          name,
        },
      );
      return row === undefined ? undefined : toVariable(row);
    },

    /** Sorted by name, unlike the other lists, which are newest first. */
    async list(ownerId: string, { limit, cursor }: PageQuery): Promise<ResultPage<VariableRecord>> {
      const rows = await db.query(
        `select ${COLUMNS} from variable where owner_id = $ownerId and name > $cursor order by name limit $limit`,
        { ownerId, cursor: cursor ?? "", limit: limit + 1 },
      );
      return toResultPage(rows.map(toVariable), limit, (variable) => variable.name);
    },

    /** Names that do not exist are left out. */
    async listByNames(ownerId: string, names: readonly string[], secret: boolean): Promise<VariableRecord[]> {
      const rows = await db.query(
        `select ${COLUMNS} from variable where owner_id = $ownerId and secret = $secret
           and name in (select e.value->>'name' from json_each(cast($names as text)) as e)`,
        { ownerId, names: JSON.stringify(names.map((name) => ({ name }))), secret: Number(secret) },
      );
      return rows.map(toVariable);
    },

    /** Deletes up to `limit` variables of this owner; returns how many. */
    removeSome: (ownerId: string, limit: number) =>
      deleteFirst(db, { table: "variable", group: "owner_id", key: "name", value: ownerId }, limit),

    /** False when there is no such variable. */
    async remove(ownerId: string, name: string): Promise<boolean> {
      const [removed] = await db.batch([
        {
          sql: "delete from variable where owner_id = $ownerId and name = $name returning name",
          params: { ownerId, name },
        },
      ]);
      return removed?.length === 1;
    },
  };
}

function toVariable(row: Row): VariableRecord {
  return {
    name: row["name"] as string,
    secret: Number(row["secret"]) === 1,
    value: row["value"] as string,
    updatedAt: Number(row["updated_at"]),
  };
}
