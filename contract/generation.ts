import * as z from "zod";
import { success, text } from "./api.ts";
import { workflowSchema } from "./workflows.ts";

export const MAX_PROMPT_LENGTH = 4000;

export const generateSchema = z.object({
  prompt: text(MAX_PROMPT_LENGTH)
    .refine((value) => value.trim() !== "", "must not be empty")
    .describe("What the workflow should do, in plain words"),
  save: z.boolean().default(true).describe("false answers with the graph and stores nothing"),
});

/** Beside the validator's codes: edges_added, step_dropped, needs_variable, needs_trigger, not_understood. */
const noticeSchema = z.object({ code: z.string(), message: z.string(), stepId: z.string().optional() });

const common = {
  warnings: z.array(noticeSchema).describe("What was mended or is left to do"),
  generatedBy: z.string().describe('"provider/model", or "builtin" when no model is configured'),
};

export const generationResponseSchema = success({ workflow: workflowSchema, ...common });

/** Unsaved, so it has neither id nor version yet. */
export const designResponseSchema = success({
  workflow: z.object({
    name: z.string(),
    description: z.string(),
    metadata: z.object({ steps: z.array(z.unknown()), edges: z.array(z.unknown()) }),
  }),
  ...common,
});
