import type { PageQuery } from "../../contract/api.ts";
import type { Role } from "../../contract/roles.ts";
import { notFound } from "../lib/errors.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Db, Row } from "../storage/db.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";

export interface InvitationRecord {
  id: string;
  workspaceId: string;
  role: Role;
  email: string | null;
  invitedBy: string;
  createdAt: number;
  expiresAt: number;
}

/** What a person sees before they accept. */
export interface OpenInvitation extends InvitationRecord {
  workspaceName: string;
  inviterName: string;
}

export type InvitationStore = ReturnType<typeof createInvitationStore>;

const COLUMNS = "id, workspace_id, role, email, invited_by, created_at, expires_at";

/** The inviter could still give the role: an invitation does not outlive the access of the person who made it. */
const INVITER_MAY_INVITE = `exists (select 1 from member as m join account as inviter on inviter.id = m.user_id
  where m.workspace_id = invitation.workspace_id and m.user_id = invitation.invited_by and inviter.disabled_at is null
    and (m.role = 'owner' or (m.role = 'admin' and invitation.role <> 'owner')))`;

export function createInvitationStore(db: Db) {
  return {
    /** False when the workspace has `max` open ones. */
    async insert(invitation: InvitationRecord, tokenHash: string, max: number): Promise<boolean> {
      const [, inserted] = await db.batch([
        {
          sql: "delete from invitation where workspace_id = $workspaceId and expires_at <= $now",
          params: { workspaceId: invitation.workspaceId, now: invitation.createdAt },
        },
        {
          sql: `insert into invitation (${COLUMNS}, token_hash)
                select cast($id as text), cast($workspaceId as text), cast($role as text), cast($email as text), cast($invitedBy as text),
                  cast($createdAt as bigint), cast($expiresAt as bigint), cast($tokenHash as text)
                where (select count(*) from invitation where workspace_id = $workspaceId) < cast($max as bigint) returning id`,
          params: { ...invitation, tokenHash, max },
        },
      ]);
      return inserted?.length === 1;
    },

    async list(
      workspaceId: string,
      now: number,
      { limit, cursor }: PageQuery,
    ): Promise<ResultPage<InvitationRecord>> {
      const rows = await db.query(
        `select ${COLUMNS} from invitation
         where workspace_id = $workspaceId and expires_at > $now and id < $cursor and ${INVITER_MAY_INVITE}
         order by id desc limit $limit`,
        { workspaceId, now, cursor: cursor ?? AFTER_EVERY_ID, limit: limit + 1 },
      );
      return toResultPage(rows.map(toInvitation), limit, ({ id }) => id);
    },

    /** Open ones for this address; of workspaces that are not being deleted. */
    async listFor(email: string, now: number): Promise<InvitationRecord[]> {
      const rows = await db.query(
        `select ${COLUMNS} from invitation where email = $email and expires_at > $now and ${INVITER_MAY_INVITE}
         and exists (select 1 from workspace as w where w.id = workspace_id and w.deleted_at is null) order by id limit 100`,
        { email, now },
      );
      return rows.map(toInvitation);
    },

    async remove(workspaceId: string, id: string): Promise<void> {
      const [removed] = await db.batch([
        {
          sql: "delete from invitation where id = $id and workspace_id = $workspaceId returning id",
          params: { id, workspaceId },
        },
      ]);
      if (removed?.length !== 1) throw notFound("invitation", id);
    },

    async findOpen(tokenHash: string, now: number): Promise<OpenInvitation | undefined> {
      const [row] = await db.query(
        `select invitation.*, w.name as workspace_name, coalesce(a.name, a.email) as inviter_name
         from invitation join workspace as w on w.id = invitation.workspace_id and w.deleted_at is null
           join account as a on a.id = invitation.invited_by
         where token_hash = $tokenHash and expires_at > $now and ${INVITER_MAY_INVITE}`,
        { tokenHash, now },
      );
      return (
        row && {
          ...toInvitation(row),
          workspaceName: row["workspace_name"] as string,
          inviterName: row["inviter_name"] as string,
        }
      );
    },

    /** False when somebody else used it in the meantime. */
    async accept(id: string, userId: string, now: number): Promise<boolean> {
      const [, inserted] = await db.batch(
        [
          // A second acceptance waits here, and finds no invitation afterwards.
          { sql: "select id from invitation where id = $id /*for-update*/", params: { id } },
          {
            sql: `insert into member (workspace_id, user_id, role, created_at)
                  select workspace_id, cast($userId as text), role, cast($now as bigint) from invitation
                  where id = $id and ${INVITER_MAY_INVITE}
                  on conflict do nothing returning user_id`,
            params: { id, userId, now },
          },
          { sql: "delete from invitation where id = $id", params: { id } },
        ],
        { alone: true },
      );
      return inserted?.length === 1;
    },
  };
}

function toInvitation(row: Row): InvitationRecord {
  return {
    id: row["id"] as string,
    workspaceId: row["workspace_id"] as string,
    role: row["role"] as Role,
    email: row["email"] as string | null,
    invitedBy: row["invited_by"] as string,
    createdAt: Number(row["created_at"]),
    expiresAt: Number(row["expires_at"]),
  };
}
