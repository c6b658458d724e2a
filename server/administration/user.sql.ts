import type { UserDeletion } from "../../contract/admin-users.ts";
import type { PageQuery } from "../../contract/api.ts";
import { HAS_OTHER_ADMINISTRATOR, LOCK_ADMINISTRATORS, NO_PASSWORD } from "../accounts/account.sql.ts";
import { notFound } from "../lib/errors.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Db, Row } from "../storage/db.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";
import { RECEIVERS } from "./user-transfer.sql.ts";

export interface UserRecord {
  id: string;
  email: string;
  name: string | null;
  createdAt: number;
  lastLoginAt: number | null;
  disabledAt: number | null;
  isAdministrator: boolean;
  twoFactor: boolean;
  providerOnly: boolean;
  workspaces: number;
  storageBytes: number | null;
}

export interface UserFilter {
  search?: string | undefined;
  status?: "active" | "disabled" | undefined;
}

export type UserStore = ReturnType<typeof createUserStore>;

const USERS = `select a.id, a.email, a.name, a.created_at, a.last_login_at, a.disabled_at, a.is_administrator, a.password_hash,
    (select count(*) from second_factor as f where f.user_id = a.id and f.enabled_at is not null) as second_factors,
    (select count(*) from member as m where m.user_id = a.id) as workspaces,
    (select u.run_bytes + u.journal_bytes + u.file_bytes + u.document_bytes from workspace_usage as u where u.owner_id = a.id) as storage_bytes
  from account as a where a.password_hash <> ''`;

/** Past this a report says "or more": a count must not read a million rows. */
const MAX_COUNT = 10_000;

const RECORDS: Readonly<Record<keyof UserDeletion["records"], string>> = {
  workflows: "workflow where owner_id = $id and deleted_at is null",
  runs: "task where owner_id = $id and id > 'task_'",
  schedules: "schedule where owner_id = $id",
  webhooks: "webhook where owner_id = $id",
  triggers: "triggers where owner_id = $id",
  agents: "agent where owner_id = $id",
  teams: "team where owner_id = $id",
  documents: "document where owner_id = $id",
  connections: "connection where owner_id = $id",
  variables: "variable where owner_id = $id",
  files: "run_file where owner_id = $id",
};

export function createUserStore(db: Db) {
  async function count(from: string, id: string): Promise<number> {
    const [row] = await db.query(
      `select count(*) as n from (select 1 as one from ${from} limit ${MAX_COUNT}) as counted`,
      {
        id,
      },
    );
    return Number(row?.["n"]);
  }

  return {
    /** Newest first. An account that is being deleted is not listed. */
    async list({ search, status, limit, cursor }: UserFilter & PageQuery): Promise<ResultPage<UserRecord>> {
      const rows = await db.query(
        `${USERS} and a.id < $cursor
           and (cast($pattern as text) is null or lower(a.email) like $pattern escape '!' or lower(a.name) like $pattern escape '!')
           ${status === undefined ? "" : `and a.disabled_at is ${status === "active" ? "" : "not"} null`}
         order by a.id desc limit $limit`,
        {
          pattern: search === undefined ? null : patternOf(search),
          cursor: cursor ?? AFTER_EVERY_ID,
          limit: limit + 1,
        },
      );
      return toResultPage(rows.map(toUser), limit, ({ id }) => id);
    },

    async get(id: string): Promise<UserRecord> {
      const [row] = await db.query(`${USERS} and a.id = $id`, { id });
      if (row === undefined) throw notFound("user", id);
      return toUser(row);
    },

    /** Ends every login. False for the last administrator. */
    async disable(id: string, now: number): Promise<boolean> {
      const isDisabled = "exists (select 1 from account where id = $id and disabled_at is not null)";
      const [, disabled] = await db.batch(
        [
          LOCK_ADMINISTRATORS,
          {
            sql: `update account set disabled_at = coalesce(disabled_at, $now), tokens_valid_from = $now where id = $id
                  and (is_administrator = 0 or ${HAS_OTHER_ADMINISTRATOR}) returning id`,
            params: { id, now },
          },
          { sql: `delete from login_session where user_id = $id and ${isDisabled}`, params: { id } },
          { sql: `delete from account_link where user_id = $id and ${isDisabled}`, params: { id } },
        ],
        { alone: true },
      );
      return disabled?.length === 1;
    },

    async enable(id: string): Promise<void> {
      await db.batch([{ sql: "update account set disabled_at = null where id = $id", params: { id } }]);
    },

    async hasOtherAdministrator(id: string): Promise<boolean> {
      return (await db.query(`select 1 as found where ${HAS_OTHER_ADMINISTRATOR}`, { id })).length > 0;
    },

    /** Another person than this user owns the workspace and can log in. */
    canReceive: async (to: string, id: string): Promise<boolean> =>
      (await db.query(`${RECEIVERS} and m.role = 'owner' limit 1`, { to, id })).length > 0,

    /** Ids of all disabled accounts, which are those of their personal workspaces. */
    async listDisabled(): Promise<Set<string>> {
      const rows = await db.query("select id from account where disabled_at is not null");
      return new Set(rows.map((row) => row["id"] as string));
    },

    async countRecords(id: string): Promise<UserDeletion["records"]> {
      const counts: Partial<UserDeletion["records"]> = {};
      for (const [kind, from] of Object.entries(RECORDS))
        counts[kind as keyof UserDeletion["records"]] = await count(from, id);
      return counts as UserDeletion["records"];
    },

    countKeys: (id: string): Promise<number> =>
      count(
        "api_key where coalesce(created_by, owner_id) = $id and service_account_id is null and revoked_at is null",
        id,
      ),
    countApps: (id: string): Promise<number> => count("oauth_grant where user_id = $id", id),

    /** The personal one first. `others` are other members, `owners` those of them who are owners. */
    async listWorkspaces(
      id: string,
    ): Promise<{ id: string; name: string; role: string; others: number; owners: number }[]> {
      const rows = await db.query(
        `select w.id, w.name, m.role,
           (select count(*) from member as o where o.workspace_id = w.id and o.user_id <> $id) as others,
           (select count(*) from member as o where o.workspace_id = w.id and o.user_id <> $id and o.role = 'owner') as owners
         from member as m join workspace as w on w.id = m.workspace_id and w.deleted_at is null
         where m.user_id = $id order by w.kind, lower(w.name), w.id`,
        { id },
      );
      return rows.map((row) => ({
        id: row["id"] as string,
        name: row["name"] as string,
        role: row["role"] as string,
        others: Number(row["others"]),
        owners: Number(row["owners"]),
      }));
    },
  };
}

/** For `like … escape` with an exclamation mark. */
export function patternOf(search: string): string {
  return `%${search.toLowerCase().replaceAll(/[!%_]/g, "!$&")}%`;
}

function toUser(row: Row): UserRecord {
  const numberOrNull = (value: unknown) => (value === null ? null : Number(value));
  return {
    id: row["id"] as string,
    email: row["email"] as string,
    name: row["name"] as string | null,
    createdAt: Number(row["created_at"]),
    lastLoginAt: numberOrNull(row["last_login_at"]),
    disabledAt: numberOrNull(row["disabled_at"]),
    isAdministrator: Number(row["is_administrator"]) === 1,
    twoFactor: Number(row["second_factors"]) > 0,
    providerOnly: row["password_hash"] === NO_PASSWORD,
    workspaces: Number(row["workspaces"]),
    storageBytes: numberOrNull(row["storage_bytes"]),
  };
}
