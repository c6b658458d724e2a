import * as z from "zod";
import { emptyAsAbsent, success, text } from "./api.ts";

/** What can be copied and moved between workspaces. */
export type TransferKind = "workflow" | "agent" | "team" | "template" | "document";

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
      .enum(["run", "session", "webhook", "exposure", "document", "ingestion", "move"])
      .describe(
        "`run`: a run has not ended. `session`: a session of the team has not ended. `webhook`: the other workspace has a webhook with this source. `exposure`: it exposes a record by this name. `document`: it has a document with the same file. `ingestion`: the document is not indexed. `move`: an earlier move has not ended",
      ),
    id: z.string().describe("Of the run, session or webhook, or of the record itself"),
    name: z.string(),
  })
  .meta({ id: "TransferConflict" });
export type TransferConflict = z.infer<typeof transferConflictSchema>;

export const transferUseSchema = z
  .object({
    kind: z.enum(["workflow", "agent", "team", "trigger", "collection"]),
    id: z.string(),
    name: z.string(),
  })
  .meta({ id: "TransferUse" });
export type TransferUse = z.infer<typeof transferUseSchema>;

const report = {
  id: z.string().nullable().describe("Of the record in the other workspace; null after a dry run"),
  needed: transferNeedsSchema.describe("What the record refers to and the other workspace does not have"),
  conflicts: z
    .array(transferConflictSchema)
    .describe("What prevents it. Without a dry run the response is 409 `transfer_conflict`"),
};
const moveReport = {
  ...report,
  usedBy: z
    .array(transferUseSchema)
    .describe("Records of this workspace that use it and no longer find it after a move"),
  isMoving: z
    .boolean()
    .describe(
      "Runs of the workflow, sessions of the team or the search index of the document are still being moved in the background",
    ),
};
const workflowId = z.string().nullable().describe("The same as `id`");

export const copyResponseSchema = success(report);
export type CopyReport = Omit<z.infer<typeof copyResponseSchema>, "ok">;
export const moveResponseSchema = success(moveReport);
export type MoveReport = Omit<z.infer<typeof moveResponseSchema>, "ok">;

export const copyWorkflowResponseSchema = success({ ...report, workflowId });
export const moveWorkflowResponseSchema = success({
  ...moveReport,
  workflowId,
  movesRuns: z.boolean().describe("The same as `isMoving`"),
});
