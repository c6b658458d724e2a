import * as z from "zod";
import { nameText, nextCursorSchema, success, text, timeSchema } from "./api.ts";
import { proposedTriggerSchema } from "./generation.ts";
import { formSettingsInputSchema, formSettingsSchema } from "./forms.ts";
import { problemSchema } from "./graph.ts";
import {
  folderField,
  newUncheckedGraphSchema,
  savedWorkflowResponseSchema,
  tagsField,
  uncheckedEdges,
  uncheckedGraphSchema,
  uncheckedSteps,
} from "./workflows.ts";
import {
  apiSettingsInputSchema,
  apiSettingsSchema,
  runSettingsInputSchema,
  runSettingsSchema,
} from "./workflow-settings.ts";

export const TEMPLATE_FORMAT = "baton.workflow/1";

const templateVersionSchema = z.object({
  version: z.int().min(1),
  name: nameText(200),
  description: text(10_000).default(""),
  note: text(500).default(""),
  createdAt: timeSchema,
  metadata: newUncheckedGraphSchema,
});
export type TemplateVersion = z.infer<typeof templateVersionSchema>;

/** A workflow as a file. `steps` and `edges` are at the top level, too, as in the list of templates. */
export const templateFileSchema = z
  .object({
    format: z.literal(TEMPLATE_FORMAT),
    id: z.string(),
    name: z.string(),
    description: z.string(),
    metadata: uncheckedGraphSchema,
    steps: uncheckedSteps,
    edges: uncheckedEdges,
    folder: z.string().optional(),
    tags: z.array(z.string()).optional(),
    apiSettings: apiSettingsSchema.omit({ enabled: true }).describe("An imported endpoint is disabled"),
    settings: runSettingsSchema.optional(),
    form: formSettingsSchema.omit({ enabled: true }).optional().describe("An imported form is closed"),
    apis: z
      .array(z.object({ id: z.string(), title: z.string(), source: z.string().nullable() }))
      .optional()
      .describe(
        "APIs that its steps use, with the address of the document: add them before you import the file",
      ),
    versions: z.array(templateVersionSchema.extend({ metadata: uncheckedGraphSchema })),
  })
  .meta({ id: "TemplateFile" });
export type TemplateFile = z.infer<typeof templateFileSchema>;

const writtenVersionSchema = templateVersionSchema.extend({
  createdAt: timeSchema.optional().describe("Time of registration by default"),
});

/** The body of a registration: an exported file, or steps and edges written by hand. */
export const registerTemplateSchema = z
  .object({
    format: z.string().optional(),
    name: nameText(200),
    description: text(10_000).default(""),
    category: text(100).default("own"),
    metadata: newUncheckedGraphSchema.optional(),
    steps: uncheckedSteps.optional(),
    edges: uncheckedEdges.optional(),
    folder: folderField.default(""),
    tags: tagsField.default([]),
    apiSettings: apiSettingsInputSchema.omit({ enabled: true }).optional(),
    settings: runSettingsInputSchema
      .optional()
      .describe("An error workflow that is not in the workspace is left out by the import"),
    form: formSettingsInputSchema.omit({ enabled: true }).optional(),
    versions: z.array(writtenVersionSchema).max(10_000).default([]),
  })
  .refine((file) => file.format === undefined || file.format === TEMPLATE_FORMAT, {
    path: ["format"],
    message: `is an unknown format; use ${TEMPLATE_FORMAT}`,
  })
  .refine((file) => file.metadata !== undefined || file.steps !== undefined, {
    path: ["steps"],
    message: "is missing: a template needs steps and edges",
  });
export type RegisterTemplate = z.infer<typeof registerTemplateSchema>;

export const importTemplateSchema = z
  .object({
    name: nameText(200).optional().describe("The name of the workflow; that of the template by default"),
  })
  .nullish();

export const updateTemplateSchema = z.object({
  name: nameText(200).optional(),
  description: text(10_000).optional(),
});
export type UpdateTemplate = z.infer<typeof updateTemplateSchema>;

export const templateSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    category: z.string(),
    builtIn: z.boolean(),
    steps: uncheckedSteps,
    edges: uncheckedEdges,
    inputSchema: uncheckedGraphSchema.shape.inputSchema,
    trigger: proposedTriggerSchema
      .optional()
      .describe("What is meant to start it; an import does not create it"),
    createdAt: timeSchema.optional(),
  })
  .meta({ id: "Template" });
export type Template = z.infer<typeof templateSchema>;

export const templateResponseSchema = success({ template: templateSchema });
export const templateListResponseSchema = success({
  templates: z.array(templateSchema),
  nextCursor: nextCursorSchema,
});
export const validationResponseSchema = success({
  valid: z.boolean(),
  errors: z.array(problemSchema),
  warnings: z.array(problemSchema),
});
export const importResponseSchema = savedWorkflowResponseSchema;
