import type { PageQuery } from "../../contract/api.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
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
  method: LoginMethod;
}

/** What the database knows of a token. */
export interface KnownLogin {
  userId: string;
  /** The name of the account, else its email address. */
  name: string;
  /** Tokens issued before this time have ended; 0 for the token of a session. */
  validFrom: number;
}

export type LoginMethod = "password" | "oidc";

export type LoginStore = ReturnType<typeof createLoginStore>;

/** Logins beyond this end the oldest one, so that a script that logs in every minute adds no rows without bound. */
const MAX_LOGINS = 200;

const COLUMNS = "id, user_id, user_agent, address, created_at, expires_at, method";
const END_OLD_TOKENS = "update account set tokens_valid_from = $now where id = $userId";

export function createLoginStore(db: Db) {
  return {
    /** False when the password has changed since it was verified, or the account was disabled: no login outlives that. */
    async insert(login: LoginRecord, passwordHash: string): Promise<boolean> {
      const { userId, createdAt } = login;
      const [inserted] = await db.batch([
        {
          sql: `insert into login_session (${COLUMNS})
                select cast($id as text), id, cast($userAgent as text), cast($address as text), cast($createdAt as bigint), cast($expiresAt as bigint), cast($method as text)
                from account where id = $userId and password_hash = $passwordHash and disabled_at is null returning id`,
          params: { ...login, passwordHash },
        },
        {
          sql: `update account set last_login_at = $createdAt where id = $userId
                and exists (select 1 from login_session where id = $id)`,
          params: { id: login.id, userId, createdAt },
        },
        {
          sql: `delete from login_session where user_id = $userId and (expires_at <= $createdAt or id in
                (select id from login_session where user_id = $userId order by id desc limit 1000 offset ${MAX_LOGINS}))`,
          params: { userId, createdAt },
        },
      ]);
      return inserted?.length === 1;
    },

    async findBySession(id: string): Promise<KnownLogin | undefined> {
      const [row] = await db.query(
        `select s.user_id, coalesce(a.name, a.email) as name, 0 as valid_from
         from login_session as s join account as a on a.id = s.user_id where s.id = $id`,
        { id },
      );
      return row && toKnownLogin(row);
    },

    async find(id: string): Promise<LoginRecord | undefined> {
      const [row] = await db.query(`select ${COLUMNS} from login_session where id = $id`, { id });
      return row && toLogin(row);
    },

    /** For tokens without a session. Undefined when the account is gone. */
    async findByUser(userId: string): Promise<KnownLogin | undefined> {
      const [row] = await db.query(
        `select id as user_id, coalesce(name, email) as name, coalesce(tokens_valid_from, 0) as valid_from
         from account where id = $userId`,
        { userId },
      );
      return row && toKnownLogin(row);
    },

    async list(userId: string, now: number, { limit, cursor }: PageQuery): Promise<ResultPage<LoginRecord>> {
      const rows = await db.query(
        `select ${COLUMNS} from login_session
         where user_id = $userId and expires_at > $now and id < $cursor order by id desc limit $limit`,
        { userId, now, cursor: cursor ?? AFTER_EVERY_ID, limit: limit + 1 },
      );
      return toResultPage(rows.map(toLogin), limit, ({ id }) => id);
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
          sql: `delete from login_session where user_id = $userId and id <> $keptSession
                  and exists (select 1 from account where id = $userId and password_hash = $newHash)`,
          params: { userId, keptSession, newHash },
        },
      ]);
      return changed?.length === 1;
    },
  };
}

function toKnownLogin(row: Row): KnownLogin {
  return {
    userId: row["user_id"] as string,
    name: row["name"] as string,
    validFrom: Number(row["valid_from"]),
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
    method: row["method"] as LoginMethod,
  };
}
