import * as z from "zod";
import {
  emptyAsAbsent,
  nameText,
  nextCursorSchema,
  numberedPageQuerySchema,
  pageQuerySchema,
  success,
  text,
  timeSchema,
} from "./api.ts";
import { formSettingsInputSchema, formSettingsSchema } from "./forms.ts";
import { noteSchema, problemSchema } from "./graph.ts";
import {
  apiSettingsInputSchema,
  apiSettingsSchema,
  runSettingsInputSchema,
  runSettingsSchema,
} from "./workflow-settings.ts";

const component = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/**
 * Steps and edges are stored as received; the graph validator reports all their problems at once. `items` is for the
 * OpenAPI document, which describes the fields of every type of step.
 */
export const looseSteps = z
  .array(z.unknown())
  .meta({ description: "The steps", items: { anyOf: [component("Step"), component("DisabledStep")] } });
export const looseEdges = z.array(z.unknown()).meta({ description: "The edges", items: component("Edge") });

/** Of drafts, templates and versions that were imported with one: they may have any problem. */
export const uncheckedSteps = z
  .array(z.unknown())
  .meta({ description: "The steps", items: component("UncheckedStep") });
export const uncheckedEdges = z
  .array(z.unknown())
  .meta({ description: "The edges", items: component("UncheckedEdge") });

const inputSchema = z
  .looseObject({})
  .optional()
  .describe(
    "The fields of the input, in a subset of JSON Schema: runs are checked against it, and forms are made of it",
  );

const MAX_NOTES = 500;
const notes = z
  .array(noteSchema)
  .max(MAX_NOTES)
  .optional()
  .describe("Sticky notes on the canvas; runs ignore them");

export const graphSchema = z
  .object({
    steps: looseSteps.default([]),
    edges: looseEdges.default([]),
    notes,
    inputSchema,
  })
  .meta({ id: "NewGraph" });
export const newUncheckedGraphSchema = graphSchema
  .extend({ steps: uncheckedSteps.default([]), edges: uncheckedEdges.default([]) })
  .meta({ id: "NewUncheckedGraph" });
const GRAPH_CHANGE = "The whole graph; without `steps`, parts that are not named keep their value";
export const graphChangeSchema = z
  .object({
    steps: looseSteps.optional(),
    edges: looseEdges.optional(),
    notes,
    inputSchema,
  })
  .meta({
    id: "GraphChange",
    description: GRAPH_CHANGE,
  });
export type GraphChange = z.infer<typeof graphChangeSchema>;
/** A graph in a response. */
export const storedGraphSchema = z
  .object({
    steps: looseSteps,
    edges: looseEdges,
    notes,
    inputSchema,
  })
  .meta({ id: "Graph" });
export const uncheckedGraphSchema = storedGraphSchema
  .extend({ steps: uncheckedSteps, edges: uncheckedEdges })
  .meta({ id: "UncheckedGraph" });

export const MAX_NAME_LENGTH = 200;
export const nameField = nameText(MAX_NAME_LENGTH);
export const descriptionField = text(10_000);

const MAX_TAGS = 20;
/** Text that people compare by eye: without spaces around it. */
const trimmed = (maxLength: number, minLength: number) =>
  text(maxLength * 2)
    .transform((value) => value.trim())
    .pipe(text(maxLength, minLength));
export const MAX_FOLDER_LENGTH = 100;
/** A path: `Sales/Europe` is in `Sales`. Empty names and spaces around the names are removed. */
const folderPath = (minLength: number) =>
  text(MAX_FOLDER_LENGTH * 2)
    .transform(toFolderPath)
    .pipe(text(MAX_FOLDER_LENGTH, minLength));
export const folderField = folderPath(0).describe(
  "A path such as `Sales/Europe`; empty for a workflow in no folder",
);

export function toFolderPath(path: string): string {
  return path
    .split("/")
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .join("/");
}

export const tagsField = z
  .array(trimmed(40, 1))
  .max(MAX_TAGS)
  .transform((tags) => [...new Set(tags)]);

/** Where a workflow is listed, and whether its triggers start it. Not part of a version. */
const libraryFields = {
  active: z
    .boolean()
    .optional()
    .describe("`false` pauses the workflow: public calls, webhooks, forms and schedules start nothing"),
  folder: folderField.optional(),
  tags: tagsField.optional(),
};

export const graphFields = {
  metadata: graphSchema.optional(),
  steps: looseSteps.optional().describe("Alternative to metadata.steps"),
  edges: looseEdges.optional().describe("Alternative to metadata.edges"),
};

export const graphChangeFields = { ...graphFields, metadata: graphChangeSchema.optional() };
export const draftChangeFields = {
  metadata: graphChangeSchema
    .extend({ steps: uncheckedSteps.optional(), edges: uncheckedEdges.optional() })
    .meta({ id: "DraftChange", description: GRAPH_CHANGE })
    .optional(),
  steps: uncheckedSteps.optional().describe("Alternative to metadata.steps"),
  edges: uncheckedEdges.optional().describe("Alternative to metadata.edges"),
};

type GivenGraph = z.output<z.ZodObject<typeof graphFields>>;
type GivenGraphChange = z.output<z.ZodObject<typeof graphChangeFields>>;

/** A template has its graph at the top level: sent as a workflow, it must not become an empty one. */
export function graphOf({ metadata, steps, edges }: GivenGraph): GivenGraph["metadata"] {
  if (steps === undefined || (metadata !== undefined && metadata.steps.length > 0)) return metadata;
  return { ...metadata, steps, edges: edges ?? metadata?.edges ?? [] };
}

export function withGraph<T extends GivenGraph>({ steps, edges, ...body }: T) {
  return { ...body, metadata: graphOf({ metadata: body.metadata, steps, edges }) };
}

export function withGraphChange<T extends GivenGraphChange>({ steps, edges, ...body }: T) {
  const { metadata } = body;
  const isWhole = metadata?.steps !== undefined || (steps === undefined && edges === undefined);
  const topLevel: GraphChange = { ...(steps && { steps }), ...(edges && { edges }) };
  return { ...body, metadata: isWhole ? metadata : { ...topLevel, ...metadata } };
}

export const createWorkflowSchema = z
  .object({
    name: nameField,
    description: descriptionField.optional(),
    ...graphFields,
    apiSettings: apiSettingsInputSchema.optional(),
    settings: runSettingsInputSchema.optional(),
    form: formSettingsInputSchema.nullable().optional(),
    ...libraryFields,
    published: z
      .literal(false)
      .optional()
      .describe("Stores no version: the workflow is at version 0 until its first draft is published"),
  })
  .transform(withGraph)
  .refine(({ published, metadata }) => published !== false || (metadata?.steps.length ?? 0) === 0, {
    path: ["published"],
    message: "can be false only without steps; save the steps as a draft",
  });

const versionNote = text(500);

export const updateWorkflowSchema = z
  .object({
    name: nameField.optional(),
    description: descriptionField.optional(),
    ...graphChangeFields,
    apiSettings: apiSettingsInputSchema.optional(),
    settings: runSettingsInputSchema.optional(),
    form: formSettingsInputSchema.nullable().optional(),
    ...libraryFields,
    baseVersion: z
      .int()
      .min(0)
      .optional()
      .describe("The version that was edited; 409 when a newer one exists"),
    note: versionNote.optional().describe("Describes the change in the version history"),
  })
  .transform(withGraphChange);
export type UpdateWorkflow = z.infer<typeof updateWorkflowSchema>;

export const workflowSchema = z
  .object({
    id: z.string(),
    ownerId: z.string(),
    name: z.string(),
    description: z.string(),
    version: z.int(),
    metadata: storedGraphSchema,
    apiSettings: apiSettingsSchema,
    settings: runSettingsSchema.optional(),
    form: formSettingsSchema.optional(),
    active: z.boolean(),
    folder: z.string(),
    tags: z.array(z.string()),
    published: z
      .literal(false)
      .optional()
      .describe("False while the live version has no steps; absent otherwise"),
    createdAt: timeSchema,
    updatedAt: timeSchema,
    draft: z
      .object({ revision: z.int(), baseVersion: z.int(), updatedAt: timeSchema })
      .optional()
      .describe("Unpublished changes; absent when there are none. See GET /api/workflows/{id}/draft"),
  })
  .meta({ id: "Workflow" });
export type Workflow = z.infer<typeof workflowSchema>;

const warnings = z.array(problemSchema).describe("Allowed, but probably not intended");
export const workflowResponseSchema = success({ workflow: workflowSchema });
export const savedWorkflowResponseSchema = success({ workflow: workflowSchema, warnings });
export const workflowListQuerySchema = pageQuerySchema.extend({
  graph: z
    .enum(["true", "false"])
    .default("true")
    .describe("`false` omits `metadata`: names without their graphs"),
  folder: text(200)
    .optional()
    .describe("Only the workflows of this folder, without those of its subfolders; empty for those in none"),
  tag: emptyAsAbsent(text(80)).describe("Only workflows with this tag"),
  active: emptyAsAbsent(z.enum(["true", "false"])).describe("Only active or only paused workflows"),
});
export type WorkflowFilter = Omit<z.infer<typeof workflowListQuerySchema>, "graph">;

/** As it was stored, maybe before paths were trimmed. */
const storedFolder = text(200, 1);
export const renameFolderSchema = z.object({
  from: storedFolder.describe("The present path"),
  to: folderField.describe(
    "The new path, also in another folder; that of another folder joins the two, empty dissolves the folder",
  ),
});
export const movedWorkflowsResponseSchema = success({
  workflows: z.int().describe("How many workflows were in the folder and its subfolders"),
});
export const storedFolderSchema = z.object({ folder: storedFolder });
export const folderNameSchema = z.object({ folder: folderPath(1) });
export const folderListResponseSchema = success({
  folders: z
    .array(
      z
        .object({
          folder: z.string().describe("The path"),
          workflows: z.int().describe("Without those of subfolders"),
        })
        .meta({ id: "Folder" }),
    )
    .describe("By path; a folder is followed by its subfolders"),
});
export type Folder = z.infer<typeof folderListResponseSchema>["folders"][number];
export const workflowListResponseSchema = success({
  workflows: z.array(workflowSchema.partial({ metadata: true }).meta({ id: "WorkflowListItem" })),
  nextCursor: nextCursorSchema,
});

const versionHead = {
  version: z.int(),
  name: z.string(),
  note: z.string(),
  createdAt: timeSchema,
  createdBy: z.string(),
};
export const versionListResponseSchema = success({
  versions: z.array(
    z.object({
      ...versionHead,
      createdByName: z
        .string()
        .nullable()
        .describe("Name or email address of the author; null when the account was deleted"),
      runs: z
        .int()
        .optional()
        .describe("With `?runs=true`: runs of this version among the newest 10,000 of the workflow"),
    }),
  ),
  nextCursor: nextCursorSchema,
});
export const versionListQuerySchema = numberedPageQuerySchema.extend({
  runs: z.enum(["true", "false"]).default("false").describe("`true` counts the runs of each version"),
});
export const updateVersionSchema = z.object({
  note: versionNote.describe("Replaces the note; empty for none"),
});
export const versionSchema = z
  .object({
    ...versionHead,
    workflowId: z.string(),
    description: z.string(),
    metadata: uncheckedGraphSchema,
  })
  .meta({ id: "WorkflowVersion" });
export type WorkflowVersion = z.infer<typeof versionSchema>;
export const versionResponseSchema = success({ version: versionSchema });
