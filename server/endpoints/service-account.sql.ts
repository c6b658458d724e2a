import type { PageQuery } from "../../contract/api.ts";
import type { ServiceAccountRole } from "../../contract/service-accounts.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Db, Row } from "../storage/db.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";

export interface ServiceAccountRecord {
  id: string;
  name: string;
  role: ServiceAccountRole;
  createdAt: number;
}

export type ServiceAccountStore = ReturnType<typeof createServiceAccountStore>;

const COLUMNS = "id, name, role, created_at";

export function createServiceAccountStore(db: Db) {
  const notFound = (id: string) => throwNotFoundOrForbidden(db, "service_account", "service_account", id);

  return {
    /** False when the workspace has `max` already. */
    async insert(
      account: ServiceAccountRecord & { ownerId: string; createdBy: string },
      max: number,
    ): Promise<boolean> {
      const [inserted] = await db.batch([
        {
          sql: `insert into service_account (id, owner_id, name, role, created_by, created_at)
                select cast($id as text), cast($ownerId as text), cast($name as text), cast($role as text), cast($createdBy as text),
                  cast($createdAt as bigint)
                where (select count(*) from service_account where owner_id = $ownerId) < cast($max as bigint) returning id`,
          params: { ...account, max },
        },
      ]);
      return inserted?.length === 1;
    },

    async list(ownerId: string, { limit, cursor }: PageQuery): Promise<ResultPage<ServiceAccountRecord>> {
      const rows = await db.query(
        `select ${COLUMNS} from service_account where owner_id = $ownerId and id > $cursor order by id limit $limit`,
        { ownerId, cursor: cursor ?? "", limit: limit + 1 },
      );
      return toResultPage(rows.map(toServiceAccount), limit, ({ id }) => id);
    },

    /** Throws `service_account_not_found` or `forbidden`. */
    async update(
      ownerId: string,
      id: string,
      { name = null, role = null }: { name?: string | null | undefined; role?: string | null | undefined },
    ): Promise<ServiceAccountRecord> {
      const [updated] = await db.batch([
        {
          sql: `update service_account set name = coalesce(cast($name as text), name), role = coalesce(cast($role as text), role)
                where id = $id and owner_id = $ownerId returning ${COLUMNS}`,
          params: { id, ownerId, name, role },
        },
      ]);
      const row = updated?.[0];
      return row === undefined ? notFound(id) : toServiceAccount(row);
    },

    /** Revokes its keys. Throws `service_account_not_found` or `forbidden`. */
    async remove(ownerId: string, id: string, now: number): Promise<void> {
      const [removed] = await db.batch([
        {
          sql: "delete from service_account where id = $id and owner_id = $ownerId returning id",
          params: { id, ownerId },
        },
        {
          sql: `update api_key set revoked_at = $now
                where service_account_id = $id and owner_id = $ownerId and revoked_at is null`,
          params: { id, ownerId, now },
        },
      ]);
      if (removed?.length !== 1) await notFound(id);
    },
  };
}

function toServiceAccount(row: Row): ServiceAccountRecord {
  return {
    id: row["id"] as string,
    name: row["name"] as string,
    role: row["role"] as ServiceAccountRole,
    createdAt: Number(row["created_at"]),
  };
}
