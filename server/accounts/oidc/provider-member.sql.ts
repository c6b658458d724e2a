import type { Role } from "../../../contract/roles.ts";
import type { Db } from "../../storage/db.ts";
import { revokeCredentialsOfNonMember } from "../../workspaces/revoke-credentials.sql.ts";

export type ProviderMemberStore = ReturnType<typeof createProviderMemberStore>;

/** Members of team workspaces whose role the login provider decides. Owners are never changed. */
export function createProviderMemberStore(db: Db) {
  return {
    /** Undefined for a person who is not a member, null when there is no such team workspace. */
    async roleOf(workspaceId: string, userId: string): Promise<Role | undefined | null> {
      const [row] = await db.query(
        `select (select role from member where workspace_id = w.id and user_id = $userId) as role
         from workspace as w where w.id = $workspaceId and w.kind = 'team' and w.deleted_at is null`,
        { workspaceId, userId },
      );
      return row === undefined ? null : ((row["role"] ?? undefined) as Role | undefined);
    },

    /** True when the person is a new member or has another role now. */
    async setRole(workspaceId: string, userId: string, role: Role, now: number): Promise<boolean> {
      const [changed] = await db.batch([
        {
          sql: `insert into member (workspace_id, user_id, role, created_at)
                select id, cast($userId as text), cast($role as text), cast($now as bigint) from workspace
                where id = $workspaceId and kind = 'team' and deleted_at is null
                on conflict (workspace_id, user_id) do update set role = excluded.role
                where member.role <> 'owner' and member.role <> excluded.role returning user_id`,
          params: { workspaceId, userId, role, now },
        },
      ]);
      return changed?.length === 1;
    },

    /** Ends their API keys and connected apps there, too. True when the person was a member. */
    async remove(workspaceId: string, userId: string, now: number): Promise<boolean> {
      const [removed] = await db.batch(
        [
          {
            sql: `delete from member where workspace_id = $workspaceId and user_id = $userId and role <> 'owner'
                  and workspace_id in (select id from workspace where kind = 'team') returning user_id`,
            params: { workspaceId, userId },
          },
          ...revokeCredentialsOfNonMember({ workspaceId, userId, now }),
        ],
        { alone: true },
      );
      return removed?.length === 1;
    },
  };
}
