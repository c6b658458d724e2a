import type { Member } from "../../contract/approvers.ts";
import type { Role } from "../../contract/roles.ts";
import type { Db, Row } from "../storage/db.ts";

export interface WorkspaceRecord {
  id: string;
  name: string;
  kind: "personal" | "team";
  createdAt: number;
  /** The role of the user that reads the record. */
  role: Role;
}

export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>;

const COLUMNS = "w.id, w.name, w.kind, w.created_at";
const OF_MEMBERS = "workspace as w join member as m on m.workspace_id = w.id";

export function createWorkspaceStore(db: Db) {
  return {
    async findRole(workspaceId: string, userId: string): Promise<Role | undefined> {
      const [row] = await db.query(
        `select m.role from ${OF_MEMBERS} where w.id = $workspaceId and m.user_id = $userId and w.deleted_at is null`,
        { workspaceId, userId },
      );
      return row?.["role"] as Role | undefined;
    },

    /** Without members whose account is disabled: they decide nothing, also not by a link. */
    async listMembers(workspaceId: string): Promise<Member[]> {
      const rows = await db.query(
        `select a.id, a.name, a.email, m.role from ${OF_MEMBERS} join account as a on a.id = m.user_id
         where w.id = $workspaceId and w.deleted_at is null and a.disabled_at is null order by m.created_at, a.id`,
        { workspaceId },
      );
      return rows.map((row) => ({
        id: row["id"] as string,
        name: row["name"] as string | null,
        email: row["email"] as string,
        role: row["role"] as Role,
      }));
    },

    exists: async (id: string) =>
      (await db.query("select 1 as found from workspace where id = $id and deleted_at is null", { id }))
        .length > 0,

    /** The personal one first, then by name. */
    async listOf(userId: string): Promise<WorkspaceRecord[]> {
      const rows = await db.query(
        `select ${COLUMNS}, m.role from ${OF_MEMBERS} where m.user_id = $userId and w.deleted_at is null
         order by w.kind, lower(w.name), w.id`,
        { userId },
      );
      return rows.map((row) => ({ ...toWorkspace(row), role: row["role"] as Role }));
    },

    async find(id: string): Promise<Omit<WorkspaceRecord, "role"> | undefined> {
      const [row] = await db.query(
        `select ${COLUMNS} from workspace as w where w.id = $id and w.deleted_at is null`,
        { id },
      );
      return row && toWorkspace(row);
    },

    /** A team workspace with its first owner. False when the person owns `max` already. */
    async insert(
      workspace: { id: string; name: string; createdAt: number },
      ownerId: string,
      max: number,
    ): Promise<boolean> {
      const [, inserted] = await db.batch(
        [
          // Two requests at once would both find room for one.
          { sql: "select id from account where id = $ownerId /*for-update*/", params: { ownerId } },
          {
            sql: `insert into workspace (id, name, kind, created_at)
                  select cast($id as text), cast($name as text), 'team', cast($createdAt as bigint)
                  where (select count(*) from member where user_id = $ownerId and role = 'owner') <= cast($max as bigint)
                  returning id`,
            params: { ...workspace, ownerId, max },
          },
          {
            sql: `insert into member (workspace_id, user_id, role, created_at)
                  select id, cast($ownerId as text), 'owner', created_at from workspace where id = $id`,
            params: { id: workspace.id, ownerId },
          },
        ],
        { alone: true },
      );
      return inserted?.length === 1;
    },

    async rename(id: string, name: string): Promise<void> {
      await db.batch([{ sql: "update workspace set name = $name where id = $id", params: { id, name } }]);
    },

    /** Its members lose access at once; the records are deleted in the background. */
    async beginDeletion(id: string, now: number): Promise<void> {
      await db.batch([
        {
          sql: "update workspace set deleted_at = $now where id = $id and kind = 'team'",
          params: { id, now },
        },
        {
          sql: `insert into account_deletion (owner_id, requested_at, claimed_until)
                select id, cast($now as bigint), 0 from workspace where id = $id and kind = 'team' on conflict do nothing`,
          params: { id, now },
        },
      ]);
    },
  };
}

function toWorkspace(row: Row): Omit<WorkspaceRecord, "role"> {
  return {
    id: row["id"] as string,
    name: row["name"] as string,
    kind: row["kind"] as WorkspaceRecord["kind"],
    createdAt: Number(row["created_at"]),
  };
}
