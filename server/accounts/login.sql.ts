import type { PageQuery } from "../../contract/api.ts";
import { type Page, toPage } from "../lib/page.ts";
import type { Db, Row } from "../storage/db.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";

export interface LoginRecord {
  id: string;
  userId: string;
  userAgent: string | null;
  address: string | null;
  createdAt: number;
  expiresAt: number;
}

export type LoginStore = ReturnType<typeof createLoginStore>;

/** Logins beyond this end the oldest one, so that a script that logs in every minute adds no rows without bound. */
const MAX_LOGINS = 200;

const COLUMNS = "id, user_id, user_agent, address, created_at, expires_at";
const END_OLD_TOKENS = "update account set tokens_valid_from = $now where id = $userId";

export function createLoginStore(db: Db) {
  return {
    /** False when the password has changed since it was verified: that login must not outlive the change. */
    async insert(login: LoginRecord, passwordHash: string): Promise<boolean> {
      const { userId, createdAt } = login;
      const [inserted] = await db.batch([
        {
          sql: `insert into login_session (${COLUMNS})
                select cast($id as text), id, cast($userAgent as text), cast($address as text), cast($createdAt as bigint), cast($expiresAt as bigint)
                from account where id = $userId and password_hash = $passwordHash returning id`,
          params: { ...login, passwordHash },
        },
        {
          sql: `delete from login_session where user_id = $userId and (expires_at <= $createdAt or id in
                (select id from login_session where user_id = $userId order by id desc limit 1000 offset ${MAX_LOGINS}))`,
          params: { userId, createdAt },
        },
      ]);
      return inserted?.length === 1;
    },

    async findUser(id: string): Promise<string | undefined> {
      const [row] = await db.query("select user_id from login_session where id = $id", { id });
      return row?.["user_id"] as string | undefined;
    },

    /** For tokens without a session: the time before which they have ended. Undefined when the account is gone. */
    async tokensValidFrom(userId: string): Promise<number | undefined> {
      const [row] = await db.query("select tokens_valid_from from account where id = $userId", { userId });
      return row === undefined ? undefined : Number(row["tokens_valid_from"] ?? 0);
    },

    async list(userId: string, now: number, { limit, cursor }: PageQuery): Promise<Page<LoginRecord>> {
      const rows = await db.query(
        `select ${COLUMNS} from login_session
         where user_id = $userId and expires_at > $now and id < $cursor order by id desc limit $limit`,
        { userId, now, cursor: cursor ?? AFTER_EVERY_ID, limit: limit + 1 },
      );
      return toPage(rows.map(toLogin), limit, ({ id }) => id);
    },

    async end(userId: string, id: string): Promise<void> {
      const [ended] = await db.batch([
        {
          sql: "delete from login_session where id = $id and user_id = $userId returning id",
          params: { id, userId },
        },
      ]);
      if (ended?.length !== 1) await throwNotFoundOrForbidden(db, "login_session", "session", id);
    },

    async endOldTokens(userId: string, now: number): Promise<void> {
      await db.batch([{ sql: END_OLD_TOKENS, params: { userId, now } }]);
    },

    async endAll(userId: string, now: number): Promise<void> {
      await db.batch([
        { sql: "delete from login_session where user_id = $userId", params: { userId } },
        { sql: END_OLD_TOKENS, params: { userId, now } },
      ]);
    },

    /** Ends every other login. False when the password was changed in the meantime. */
    async changePassword(change: {
      userId: string;
      oldHash: string;
      newHash: string;
      keptSession: string;
      now: number;
    }): Promise<boolean> {
      const { userId, oldHash, newHash, keptSession, now } = change;
      const [changed] = await db.batch([
        {
          sql: `update account set password_hash = $newHash, tokens_valid_from = $now
                where id = $userId and password_hash = $oldHash returning id`,
          params: { userId, oldHash, newHash, now },
        },
        {
          sql: "delete from login_session where user_id = $userId and id <> $keptSession",
          params: { userId, keptSession },
        },
      ]);
      return changed?.length === 1;
    },
  };
}

function toLogin(row: Row): LoginRecord {
  return {
    id: row["id"] as string,
    userId: row["user_id"] as string,
    userAgent: row["user_agent"] as string | null,
    address: row["address"] as string | null,
    createdAt: Number(row["created_at"]),
    expiresAt: Number(row["expires_at"]),
  };
}
