import * as z from "zod";
import { emptyAsAbsent, success, text } from "./api.ts";

export const transferSchema = z.object({
  workspaceId: text(200, 1).describe("Where it goes. Your role there must be builder or more"),
});
export const transferQuerySchema = z.object({
  dryRun: emptyAsAbsent(z.enum(["true", "false"])).describe(
    "`true` reports what is needed and changes nothing",
  ),
});

const named = z.array(z.object({ id: z.string(), name: z.string() }));
export const transferNeedsSchema = z
  .object({
    connections: named,
    variables: z.array(z.string()).describe("Names of variables and secrets that the other workspace lacks"),
    workflows: named,
    agents: named,
    documents: named,
    collections: named,
    mcpServers: named,
    apps: named.describe("Apps from OpenAPI documents"),
    webhooks: named.describe("They start the workflow here. A move takes them along, a copy does not"),
    schedules: named,
    triggers: named,
    endpoint: z
      .boolean()
      .describe("It has an endpoint or a form, which is off in a copy and stays on after a move"),
  })
  .meta({ id: "TransferNeeds" });
export type TransferNeeds = z.infer<typeof transferNeedsSchema>;

export const transferConflictSchema = z
  .object({
    kind: z
      .enum(["run", "webhook", "exposure"])
      .describe(
        "`run`: a run has not ended. `webhook`: the other workspace has a webhook with this source. `exposure`: it exposes a record by this name",
      ),
    id: z.string().describe("Of the run, webhook or workflow here"),
    name: z.string(),
  })
  .meta({ id: "TransferConflict" });
export type TransferConflict = z.infer<typeof transferConflictSchema>;

export const transferUseSchema = z
  .object({ kind: z.enum(["workflow", "agent"]), id: z.string(), name: z.string() })
  .meta({ id: "TransferUse" });
export type TransferUse = z.infer<typeof transferUseSchema>;

const needed = transferNeedsSchema.describe(
  "What the workflow refers to and the other workspace does not have",
);
export const copyResponseSchema = success({
  workflowId: z.string().nullable().describe("Of the workflow in the other workspace; null after a dry run"),
  needed,
});
export const moveResponseSchema = success({
  workflowId: z.string().nullable().describe("The id, which it keeps; null after a dry run"),
  needed,
  conflicts: z
    .array(transferConflictSchema)
    .describe("What prevents the move. Without a dry run the response is 409 `transfer_conflict`"),
  usedBy: z
    .array(transferUseSchema)
    .describe("Records of this workspace that run the workflow and no longer find it"),
  movesRuns: z
    .boolean()
    .describe("Runs are still being moved in the background; until then they are listed here"),
});
export type MoveReport = Omit<z.infer<typeof moveResponseSchema>, "ok">;
