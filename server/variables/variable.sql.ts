import { toPage } from "../lib/page.ts";
import type { VariableRecord, VariableStore } from "./variable-store.ts";
import type { Db, Row } from "../storage/db.ts";

const COLUMNS = "name, secret, value, updated_at";

export function createVariableStore(db: Db): VariableStore {
  return {
    async put(ownerId, { name, secret, value, updatedAt }) {
      await db.batch([
        {
          sql: `insert into variable (owner_id, name, secret, value, updated_at) values ($1, $2, $3, $4, $5)
                on conflict (owner_id, name) do update
                  set secret = excluded.secret, value = excluded.value, updated_at = excluded.updated_at`,
          params: [ownerId, name, Number(secret), value, updatedAt],
        },
      ]);
    },

    async get(ownerId, name) {
      const [row] = await db.query(`select ${COLUMNS} from variable where owner_id = $1 and name = $2`, [
        ownerId,
        name,
      ]);
      return row === undefined ? undefined : toVariable(row);
    },

    async list(ownerId, { limit, cursor }) {
      const rows = await db.query(
        `select ${COLUMNS} from variable where owner_id = $1 and name > $2 order by name limit $3`,
        [ownerId, cursor ?? "", limit + 1],
      );
      return toPage(rows.map(toVariable), limit, (variable) => variable.name);
    },

    async named(ownerId, names, secret) {
      const rows = await db.query(
        `select ${COLUMNS} from variable where owner_id = $1 and secret = $3
           and name in (select e.value->>'name' from json_each(cast($2 as text)) as e)`,
        [ownerId, JSON.stringify(names.map((name) => ({ name }))), Number(secret)],
      );
      return rows.map(toVariable);
    },

    async remove(ownerId, name) {
      const [removed] = await db.batch([
        {
          sql: "delete from variable where owner_id = $1 and name = $2 returning name",
          params: [ownerId, name],
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
