import * as z from "zod";
import { success, text } from "./api.ts";
import { looseEdges, looseSteps, workflowSchema } from "./workflows.ts";

export const MAX_PROMPT_LENGTH = 4000;

export const generateSchema = z.object({
  prompt: text(MAX_PROMPT_LENGTH)
    .refine((value) => value.trim() !== "", "must not be empty")
    .describe("What the workflow should do, in plain language"),
  save: z.boolean().default(true).describe("`false` returns the graph and stores nothing"),
});

/** In addition to the codes of the validator: edges_added, step_dropped, needs_variable, needs_trigger, not_understood. */
const noticeSchema = z.object({ code: z.string(), message: z.string(), stepId: z.string().optional() });

/** A proposal: triggers are separate records, and nothing is set up before a person does it. */
export const proposedTriggerSchema = z
  .object({
    kind: z.enum(["schedule", "rss", "email", "chat", "form", "webhook", "endpoint", "app"]),
    text: z.string().describe("The words of the description that ask for it, or when it starts a template"),
    cron: z.string().optional().describe("Of a schedule"),
    url: z.string().optional().describe("Of a feed, when the description names it"),
  })
  .meta({ id: "ProposedTrigger" });
export type ProposedTrigger = z.infer<typeof proposedTriggerSchema>;

const common = {
  warnings: z.array(noticeSchema).describe("Corrections that were made, and remaining tasks for the user"),
  trigger: proposedTriggerSchema
    .optional()
    .describe("The trigger that the description asks for; not created"),
  generatedBy: z.string().describe('"provider/model", or "builtin" when no model is configured'),
};

export const generationResponseSchema = success({ workflow: workflowSchema, ...common });

/** Not saved, so it has no id and no version. */
export const designResponseSchema = success({
  workflow: z.object({
    name: z.string(),
    description: z.string(),
    metadata: z.object({ steps: looseSteps, edges: looseEdges }),
  }),
  ...common,
});
