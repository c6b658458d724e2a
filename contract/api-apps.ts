import * as z from "zod";
import { nameText, success, text, timeSchema } from "./api.ts";

/** GitHub's document has 12 MB. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
/** Per owner. */
export const MAX_API_APPS = 50;

const document = z
  .string()
  .min(1, "must not be empty")
  .max(MAX_DOCUMENT_BYTES)
  .describe("The text of the document, JSON or YAML: OpenAPI 3.0, OpenAPI 3.1 or Swagger 2.0");
const title = nameText(100).describe("What the app is called; by default the title of the document");
const server = text(500, 1).describe("The address of the API, when it is not the first one of the document");

export const importAppSchema = z
  .object({
    url: text(2000, 1).optional().describe("Where the document is"),
    document: document.optional(),
    title: title.optional(),
    server: server.optional(),
  })
  .refine(({ url, document: given }) => (url === undefined) !== (given === undefined), {
    error: "needs either url or document",
  });
export type ImportApp = z.infer<typeof importAppSchema>;

export const updateAppSchema = z.object({
  title: title.optional(),
  server: server.optional().describe("One of `servers`, or an address of your own"),
  hidden: z
    .array(text(200, 1))
    .max(2000)
    .optional()
    .describe("Ids of the actions that lists leave out. Steps that use them keep working"),
});
export type UpdateApp = z.infer<typeof updateAppSchema>;

export const refreshAppSchema = z
  .object({
    document: document.optional().describe("The new text, for an app without `source`"),
    dryRun: z.boolean().default(false).describe("Only say what would change"),
  })
  .nullish();
export type RefreshApp = z.infer<typeof refreshAppSchema>;

/** What is known about the document of an app. */
export const apiDocumentSchema = z
  .object({
    source: z.string().nullable().describe("Where a refresh reads the document; null when it was pasted"),
    server: z.string().describe("The address of the API"),
    servers: z.array(z.string()).describe("Addresses that the document names"),
    operations: z.number().int().describe("Operations in the document"),
    actions: z.number().int().describe("Those that are actions"),
    hidden: z.array(z.string()).describe("Ids of actions that lists leave out"),
    readAt: timeSchema.describe("When the document was read"),
    createdAt: timeSchema,
  })
  .meta({ id: "ApiDocument" });
export type ApiDocument = z.infer<typeof apiDocumentSchema>;

const used = z.object({ id: z.string(), name: z.string() });
const reconnect = z
  .array(used)
  .describe("Connections that are bound to other hosts: enter their secret again to use them here");

export const importedAppResponseSchema = success({
  app: z
    .object({ id: z.string(), title: z.string(), description: z.string(), api: apiDocumentSchema })
    .meta({ id: "ImportedApp" }),
  reconnect,
});

export const apiOperationSchema = z
  .object({
    id: z.string().describe("The action"),
    title: z.string(),
    description: z.string(),
    method: z.string(),
    path: z.string(),
    tags: z.array(z.string()),
    writes: z.boolean(),
  })
  .meta({ id: "ApiOperation" });
export type ApiOperation = z.infer<typeof apiOperationSchema>;

export const apiOperationsResponseSchema = success({
  operations: z.array(apiOperationSchema),
  refused: z
    .array(z.object({ operation: z.string(), reason: z.string() }))
    .describe("Operations that cannot be actions, at most 200"),
});

const changed = z.object({ id: z.string(), title: z.string(), usedBy: z.array(used) });

export const refreshAppResponseSchema = success({
  changes: z
    .object({
      added: z.array(z.object({ id: z.string(), title: z.string() })),
      removed: z.array(changed).describe("With the workflows and agents whose use of the action fails now"),
      changed: z.array(changed).describe("Actions whose request or fields differ"),
    })
    .meta({ id: "ApiChanges" }),
  reconnect,
});
export type RefreshedApp = z.infer<typeof refreshAppResponseSchema>;
