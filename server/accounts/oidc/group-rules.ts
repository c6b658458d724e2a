import { includesRole, type Role } from "../../../contract/roles.ts";
import { AppError } from "../../lib/errors.ts";
import type { HandledAction, RecordAction } from "../../lib/record-action.ts";
import type { RoleRule } from "./oidc-settings.ts";
import type { ProviderMemberStore } from "./provider-member.sql.ts";

export interface GroupRulesDeps {
  rules: readonly RoleRule[];
  members: ProviderMemberStore;
  /** The provider, for the audit log. */
  actor: HandledAction["actor"];
  now(): number;
  /** The members of this workspace have changed. */
  onChange(workspaceId: string): void;
  isAdministrator(userId: string): Promise<boolean>;
  /** False for the last administrator, who stays one. */
  setAdministrator(userId: string, isAdministrator: boolean): Promise<boolean>;
}

/** Applies OIDC_ROLE_MAPPING at every login: the groups of the provider decide about what the mapping names. */
export function createGroupRules(deps: GroupRulesDeps) {
  const { rules, members, actor, now, onChange } = deps;
  const administratorRules = rules.filter((rule) => "administrator" in rule);
  const workspaceRules = rules.filter((rule) => "workspace" in rule);
  const workspaceIds = new Set(workspaceRules.map(({ workspace }) => workspace));

  function roleIn(workspaceId: string, groups: readonly string[]): Role | undefined {
    const roles = workspaceRules
      .filter(({ workspace, group }) => workspace === workspaceId && groups.includes(group))
      .map(({ role }) => role);
    return roles.find((role) => roles.every((other) => includesRole(role, other)));
  }

  async function applyAdministrator(userId: string, value: boolean, record: RecordAction): Promise<void> {
    if ((await deps.isAdministrator(userId)) === value) return;
    const change = { action: "oidc.setAdministrator", url: "/api/admin/users/:userId", params: { userId } };
    await record({ ...change, workspaceId: null, actor }, async () => {
      if (!(await deps.setAdministrator(userId, value))) throw lastAdministrator();
    }).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === "last_administrator")) throw error;
    });
  }

  async function applyRole(
    workspaceId: string,
    userId: string,
    role: Role | undefined,
    record: RecordAction,
  ): Promise<void> {
    const known = await members.roleOf(workspaceId, userId);
    if (known === null || known === "owner" || known === role) return;
    const change = {
      action: role === undefined ? "oidc.removeMember" : "oidc.setRole",
      url: "/api/workspaces/:id/members/:userId",
      params: { id: workspaceId, userId },
    };
    const isChanged = await record({ ...change, workspaceId, actor }, () =>
      role === undefined
        ? members.remove(workspaceId, userId, now())
        : members.setRole(workspaceId, userId, role, now()),
    );
    if (isChanged) onChange(workspaceId);
  }

  return {
    /** Records only what changes. */
    async apply(userId: string, groups: readonly string[], record: RecordAction): Promise<void> {
      if (administratorRules.length > 0) {
        const value = administratorRules.some(({ group }) => groups.includes(group));
        await applyAdministrator(userId, value, record);
      }
      for (const workspaceId of workspaceIds)
        await applyRole(workspaceId, userId, roleIn(workspaceId, groups), record);
    },
  };
}

function lastAdministrator(): AppError {
  return new AppError("last_administrator", "The last administrator stays one.");
}
