import type { WorkspaceRules } from "../../contract/administration.ts";
import { notFound } from "../lib/errors.ts";
import type { WorkspaceLimits } from "../limits/limits.ts";
import type { Db, Row } from "../storage/db.ts";

export type WorkspaceRuleStore = ReturnType<typeof createWorkspaceRuleStore>;

export function createWorkspaceRuleStore(db: Db) {
  return {
    async get(workspaceId: string): Promise<WorkspaceRules> {
      const [row] = await db.query("select limits, retention_days from workspace where id = $workspaceId", {
        workspaceId,
      });
      if (row === undefined) throw notFound("workspace", workspaceId);
      return toRules(row);
    },

    async set(workspaceId: string, { limits, retentionDays }: WorkspaceRules): Promise<void> {
      const [changed = []] = await db.batch([
        {
          sql: `update workspace set limits = $limits, retention_days = cast($retentionDays as bigint)
                where id = $workspaceId returning id`,
          params: { workspaceId, limits: JSON.stringify(limits), retentionDays },
        },
      ]);
      if (changed.length === 0) throw notFound("workspace", workspaceId);
    },

    /** Only workspaces with their own limits. */
    async listLimits(): Promise<Map<string, WorkspaceLimits>> {
      const rows = await db.query(
        "select id, limits, retention_days from workspace where limits <> '[]'",
        {},
      );
      return new Map(rows.map((row) => [row["id"] as string, valuesOf(toRules(row).limits)]));
    },

    /** Only workspaces with their own retention, in days. */
    async listRetention(): Promise<Map<string, number>> {
      const rows = await db.query(
        "select id, retention_days from workspace where retention_days is not null",
        {},
      );
      return new Map(rows.map((row) => [row["id"] as string, Number(row["retention_days"])]));
    },
  };
}

function valuesOf(limits: WorkspaceRules["limits"]): WorkspaceLimits {
  return Object.fromEntries(limits.map(({ name, value }) => [name, value]));
}

function toRules(row: Row): WorkspaceRules {
  const days = row["retention_days"];
  return {
    limits: JSON.parse(row["limits"] as string) as WorkspaceRules["limits"],
    retentionDays: days === null ? null : Number(days),
  };
}
