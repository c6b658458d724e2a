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
    webhooks: named.describe("They start the workflow here, and are not copied"),
    schedules: named,
    triggers: named,
    endpoint: z.boolean().describe("It has an endpoint or a form, which is off in the copy"),
  })
  .meta({ id: "TransferNeeds" });
export type TransferNeeds = z.infer<typeof transferNeedsSchema>;

export const transferResponseSchema = success({
  workflowId: z.string().nullable().describe("Of the workflow in the other workspace; null after a dry run"),
  needed: transferNeedsSchema.describe("What the workflow refers to and the other workspace does not have"),
});
