import * as z from "zod";
import { success } from "./api.ts";
import { LIMITS } from "./limits.ts";

const names = LIMITS.flatMap((limit) => ("perWorkspace" in limit ? [limit.name] : []));

const workspaceLimitSchema = z
  .object({
    name: z.enum(names).describe("As in `GET /api/limits`"),
    value: z.int().min(0).describe("0: no limit"),
  })
  .meta({ id: "WorkspaceLimit" });

const workspaceRulesSchema = z
  .object({
    limits: z
      .array(workspaceLimitSchema)
      .max(names.length)
      .refine(
        (limits) => new Set(limits.map(({ name }) => name)).size === limits.length,
        "must name each limit once",
      )
      .describe("Limits that differ from those of the instance"),
    retentionDays: z
      .int()
      .min(0)
      .max(36_500)
      .nullable()
      .describe(
        "How long ended tasks and sessions are kept. 0: for ever; null: as the instance keeps them (RETENTION_DAYS)",
      ),
  })
  .meta({ id: "WorkspaceRules" });
export type WorkspaceRules = z.infer<typeof workspaceRulesSchema>;

export const setWorkspaceRulesSchema = workspaceRulesSchema.partial();
export type SetWorkspaceRules = z.infer<typeof setWorkspaceRulesSchema>;

export const workspaceRulesResponseSchema = success({ rules: workspaceRulesSchema });
