import type { PageQuery } from "../../../contract/api.ts";
import { notFound } from "../../lib/errors.ts";
import { type ResultPage, toResultPage } from "../../lib/result-page.ts";
import type { Db, Row } from "../../storage/db.ts";
import { AFTER_EVERY_ID } from "../../storage/paging.ts";

export interface AccountInvitationRecord {
  id: string;
  /** The only address that can register with it; null for any. */
  email: string | null;
  /** Null when an operator created it. */
  invitedBy: string | null;
  createdAt: number;
  expiresAt: number;
}

export type AccountInvitationStore = ReturnType<typeof createAccountInvitationStore>;

const COLUMNS = "id, email, invited_by, created_at, expires_at";

/** `insert` of `createAccountStore` consumes an invitation. */
export function createAccountInvitationStore(db: Db) {
  return {
    async insert(invitation: AccountInvitationRecord, tokenHash: string): Promise<void> {
      await db.batch([
        {
          sql: `insert into account_invitation (${COLUMNS}, token_hash)
                values ($id, $email, $invitedBy, $createdAt, $expiresAt, $tokenHash)`,
          params: { ...invitation, tokenHash },
        },
        {
          sql: "delete from account_invitation where expires_at <= $now",
          params: { now: invitation.createdAt },
        },
      ]);
    },

    async findOpen(tokenHash: string, now: number): Promise<AccountInvitationRecord | undefined> {
      const [row] = await db.query(
        `select ${COLUMNS} from account_invitation where token_hash = $tokenHash and expires_at > $now`,
        { tokenHash, now },
      );
      return row && toInvitation(row);
    },

    /** The hash of the token of an open invitation for this address. */
    async findHashByEmail(email: string, now: number): Promise<string | undefined> {
      const [row] = await db.query(
        "select token_hash from account_invitation where email = $email and expires_at > $now order by id limit 1",
        { email, now },
      );
      return row?.["token_hash"] as string | undefined;
    },

    async list(now: number, { limit, cursor }: PageQuery): Promise<ResultPage<AccountInvitationRecord>> {
      const rows = await db.query(
        `select ${COLUMNS} from account_invitation where expires_at > $now and id < $cursor order by id desc limit $limit`,
        { now, cursor: cursor ?? AFTER_EVERY_ID, limit: limit + 1 },
      );
      return toResultPage(rows.map(toInvitation), limit, ({ id }) => id);
    },

    async remove(id: string): Promise<void> {
      const [removed] = await db.batch([
        { sql: "delete from account_invitation where id = $id returning id", params: { id } },
      ]);
      if (removed?.length !== 1) throw notFound("invitation", id);
    },
  };
}

function toInvitation(row: Row): AccountInvitationRecord {
  return {
    id: row["id"] as string,
    email: row["email"] as string | null,
    invitedBy: row["invited_by"] as string | null,
    createdAt: Number(row["created_at"]),
    expiresAt: Number(row["expires_at"]),
  };
}
