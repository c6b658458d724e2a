import { includesRole, type Role } from "../../../contract/roles.ts";
import type { RoleRule } from "./oidc-settings.ts";
import type { ProviderMemberStore } from "./provider-member.sql.ts";

export interface GroupRulesDeps {
  rules: readonly RoleRule[];
  members: ProviderMemberStore;
  now(): number;
  /** The members of this workspace have changed. */
  onChange(workspaceId: string): void;
  /** The last administrator stays one. */
  setAdministrator(userId: string, isAdministrator: boolean): Promise<unknown>;
}

/** Applies OIDC_ROLE_MAPPING at every login: the groups of the provider decide about what the mapping names. */
export function createGroupRules({ rules, members, now, onChange, setAdministrator }: GroupRulesDeps) {
  const administratorRules = rules.filter((rule) => "administrator" in rule);
  const workspaceRules = rules.filter((rule) => "workspace" in rule);
  const workspaceIds = new Set(workspaceRules.map(({ workspace }) => workspace));

  function roleIn(workspaceId: string, groups: readonly string[]): Role | undefined {
    const roles = workspaceRules
      .filter(({ workspace, group }) => workspace === workspaceId && groups.includes(group))
      .map(({ role }) => role);
    return roles.find((role) => roles.every((other) => includesRole(role, other)));
  }

  return {
    async apply(userId: string, groups: readonly string[]): Promise<void> {
      if (administratorRules.length > 0)
        await setAdministrator(
          userId,
          administratorRules.some(({ group }) => groups.includes(group)),
        );
      for (const workspaceId of workspaceIds) {
        const role = roleIn(workspaceId, groups);
        const isChanged =
          role === undefined
            ? await members.remove(workspaceId, userId, now())
            : await members.setRole(workspaceId, userId, role, now());
        if (isChanged) onChange(workspaceId);
      }
    },
  };
}
