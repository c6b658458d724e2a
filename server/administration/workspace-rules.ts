import type { SetWorkspaceRules, WorkspaceRules } from "../../contract/administration.ts";
import type { WorkspaceRuleStore } from "./workspace-rules.sql.ts";

/** Tells every process that limits of workspaces or the set of disabled accounts have changed. */
export const RULES_CHANNEL = "workspace_rules";

export function createWorkspaceRules(store: WorkspaceRuleStore, onChange: () => Promise<void>) {
  return {
    get: store.get,
    async change(workspaceId: string, { limits, retentionDays }: SetWorkspaceRules): Promise<WorkspaceRules> {
      const old = await store.get(workspaceId);
      const rules = {
        limits: limits ?? old.limits,
        retentionDays: retentionDays === undefined ? old.retentionDays : retentionDays,
      };
      await store.set(workspaceId, rules);
      await onChange();
      return rules;
    },
  };
}
