import type { PageQuery } from "../../contract/api.ts";
import type { Role } from "../../contract/roles.ts";
import { MAX_SERVICE_ACCOUNTS, type ServiceAccount } from "../../contract/service-accounts.ts";
import type { ServiceAccountStore } from "../endpoints/service-account.sql.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import type { ResultPage } from "../lib/result-page.ts";
import type { MemberRecord, MemberStore } from "./member.sql.ts";
import type { Memberships } from "./memberships.ts";
import { personalWorkspace } from "./workspaces.ts";

export interface MembersDeps {
  store: MemberStore;
  serviceAccounts: Pick<ServiceAccountStore, "list">;
  memberships: Pick<Memberships, "changed">;
  clock: Clock;
}

export type Members = ReturnType<typeof createMembers>;

export function createMembers({ store, serviceAccounts, memberships, clock }: MembersDeps) {
  async function end(workspaceId: string, userId: string): Promise<void> {
    if (!(await store.remove(workspaceId, userId, clock.now()))) throw lastOwner();
    memberships.changed(workspaceId);
  }

  return {
    list: (workspaceId: string, page: PageQuery): Promise<ResultPage<MemberRecord>> =>
      store.list(workspaceId, page),

    async listServiceAccounts(workspaceId: string): Promise<ServiceAccount[]> {
      const { items } = await serviceAccounts.list(workspaceId, { limit: MAX_SERVICE_ACCOUNTS });
      return items.map(({ createdAt, ...account }) => ({ ...account, createdAt: toIso(createdAt) }));
    },

    async setRole(workspaceId: string, actorRole: Role, userId: string, role: Role): Promise<MemberRecord> {
      const member = await store.get(workspaceId, userId);
      assertMayManage(actorRole, member.role);
      assertMayManage(actorRole, role);
      if (!(await store.setRole(workspaceId, userId, role))) throw lastOwner();
      memberships.changed(workspaceId);
      return { ...member, role };
    },

    async remove(workspaceId: string, actorRole: Role, userId: string): Promise<void> {
      const { role } = await store.get(workspaceId, userId);
      assertMayManage(actorRole, role);
      await end(workspaceId, userId);
    },

    async leave(workspaceId: string, userId: string): Promise<void> {
      if (workspaceId === userId) throw personalWorkspace("You cannot leave your personal workspace.");
      await end(workspaceId, userId);
    },
  };
}

export function assertMayManage(actorRole: Role, role: Role): void {
  if (role === "owner" && actorRole !== "owner")
    throw new AppError("forbidden", "Only an owner may add, change or remove owners of the workspace.", {
      details: { role: actorRole, requiredRole: "owner" },
    });
}

function lastOwner(): AppError {
  return new AppError(
    "last_owner",
    "A workspace needs an owner. Make another member an owner first, or delete the workspace.",
  );
}
