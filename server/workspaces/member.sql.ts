import type { PageQuery } from "../../contract/api.ts";
import type { Role } from "../../contract/roles.ts";
import { notFound } from "../lib/errors.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Db, Row, Statement } from "../storage/db.ts";
import { revokeConnectedApps, revokeCredentialsOfNonMember } from "./revoke-credentials.sql.ts";

export interface MemberRecord {
  userId: string;
  name: string | null;
  email: string;
  role: Role;
  createdAt: number;
}

export type MemberStore = ReturnType<typeof createMemberStore>;

const MEMBERS = `select m.user_id, a.name, a.email, m.role, m.created_at
  from member as m join account as a on a.id = m.user_id`;

/** Not the only owner: another one stays. */
const HAS_OTHER_OWNER = `(role <> 'owner' or exists (select 1 from member as o
  where o.workspace_id = $workspaceId and o.role = 'owner' and o.user_id <> $userId))`;

export function createMemberStore(db: Db) {
  /** Two changes of one workspace take turns, so that two owners who leave at once do not both leave. */
  const lock = (workspaceId: string): Statement => ({
    sql: "select id from workspace where id = $workspaceId /*for-update*/",
    params: { workspaceId },
  });

  return {
    async get(workspaceId: string, userId: string): Promise<MemberRecord> {
      const [row] = await db.query(`${MEMBERS} where m.workspace_id = $workspaceId and m.user_id = $userId`, {
        workspaceId,
        userId,
      });
      if (row === undefined) throw notFound("member", userId);
      return toMember(row);
    },

    async list(workspaceId: string, { limit, cursor }: PageQuery): Promise<ResultPage<MemberRecord>> {
      const rows = await db.query(
        `${MEMBERS} where m.workspace_id = $workspaceId and m.user_id > $cursor order by m.user_id limit $limit`,
        { workspaceId, cursor: cursor ?? "", limit: limit + 1 },
      );
      return toResultPage(rows.map(toMember), limit, ({ userId }) => userId);
    },

    /** A viewer runs nothing, and neither do the apps that they connected. False when the person is the last owner. */
    async setRole(workspaceId: string, userId: string, role: Role): Promise<boolean> {
      const [, changed] = await db.batch(
        [
          lock(workspaceId),
          {
            sql: `update member set role = $role where workspace_id = $workspaceId and user_id = $userId
                  and ($role = 'owner' or ${HAS_OTHER_OWNER}) returning user_id`,
            params: { workspaceId, userId, role },
          },
          ...revokeConnectedApps(
            `owner_id = $workspaceId and exists (select 1 from member as m
               where m.workspace_id = $workspaceId and m.user_id = $userId and m.role = 'viewer')`,
            { workspaceId, userId },
          ),
        ],
        { alone: true },
      );
      return changed?.length === 1;
    },

    /** With the API keys and connected apps of the person in this workspace. False when the person is the last owner. */
    async remove(workspaceId: string, userId: string, now: number): Promise<boolean> {
      const [, removed] = await db.batch(
        [
          lock(workspaceId),
          {
            sql: `delete from member where workspace_id = $workspaceId and user_id = $userId and ${HAS_OTHER_OWNER}
                  returning user_id`,
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

function toMember(row: Row): MemberRecord {
  return {
    userId: row["user_id"] as string,
    name: row["name"] as string | null,
    email: row["email"] as string,
    role: row["role"] as Role,
    createdAt: Number(row["created_at"]),
  };
}
