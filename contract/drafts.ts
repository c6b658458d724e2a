import * as z from "zod";
import { queryNumber, success, text, timeSchema } from "./api.ts";
import { problemSchema } from "./graph.ts";
import {
  descriptionField,
  draftChangeFields,
  nameField,
  uncheckedGraphSchema,
  withGraphChange,
} from "./workflows.ts";

/** Omitted fields keep the value of the draft or, without a draft, of the live version. */
export const saveDraftSchema = z
  .object({
    name: nameField.optional(),
    description: descriptionField.optional(),
    ...draftChangeFields,
    baseVersion: z
      .int()
      .min(0)
      .optional()
      .describe("The live version that the draft changes; by default that of the draft, or the present one"),
    revision: z
      .int()
      .min(1)
      .nullish()
      .describe("The revision that was edited, null for none; 409 when the draft has another one"),
  })
  .transform(withGraphChange);
export type SaveDraft = z.infer<typeof saveDraftSchema>;

const draftSchema = z
  .object({
    workflowId: z.string(),
    revision: z.int().describe("Increases with every save; never used twice for one workflow"),
    baseVersion: z.int().describe("The live version that the draft changes"),
    name: z.string(),
    description: z.string(),
    metadata: uncheckedGraphSchema,
    updatedAt: timeSchema,
    updatedBy: z.string(),
  })
  .meta({ id: "WorkflowDraft" });
export type WorkflowDraft = z.infer<typeof draftSchema>;

const problems = {
  errors: z.array(problemSchema).describe("Prevent publishing; the draft is stored all the same"),
  warnings: z.array(problemSchema).describe("Allowed, but probably not intended"),
};
export const draftResponseSchema = success({ draft: draftSchema.nullable(), ...problems });
export const savedDraftResponseSchema = success({ draft: draftSchema, ...problems });

export const publishSchema = z
  .object({
    note: text(500).optional().describe("Describes the change in the version history"),
    revision: z
      .int()
      .min(1)
      .optional()
      .describe("The revision to publish; 409 when the draft has another one"),
  })
  .nullish();

/** What a manual run, a rerun or a replay runs. */
export const runVersionSchema = z
  .union([z.enum(["draft", "live"]), queryNumber().min(1)])
  .describe("`draft` (the live version when there is no draft), `live` or the number of a version");
