import * as z from "zod";
import { limitedRecord, success, text } from "./api.ts";
import { CONNECTION_ID } from "./connection-id.ts";
import { problemSchema } from "./graph.ts";
import { MAX_N8N_NODES } from "./n8n-node-limit.ts";
import { descriptionField, nameField, uncheckedGraphSchema, workflowSchema } from "./workflows.ts";

export const importN8nSchema = z.object({
  workflow: z
    .looseObject({
      nodes: z.array(z.unknown()).min(1, "is empty: the file has no nodes").max(MAX_N8N_NODES),
      connections: z.looseObject({}).optional(),
    })
    .describe(
      "The JSON that n8n exports or copies: `nodes`, `connections` and, where present, `name`, `settings` and `meta`",
    ),
  name: nameField.optional().describe("In place of the name in the file"),
  save: z.boolean().default(true).describe("`false` returns the result and stores nothing"),
  connections: limitedRecord(
    text(500, 1),
    z.string().regex(CONNECTION_ID, "must be the id of a connection"),
    MAX_N8N_NODES,
  )
    .default({})
    .describe("Connection ids by the name of the n8n node, for steps that need a connection"),
  checked: z
    .array(text(500, 1))
    .max(MAX_N8N_NODES)
    .default([])
    .describe("Names of n8n nodes that a person has looked at: their steps get no `toCheck`"),
});
export type ImportN8n = z.output<typeof importN8nSchema>;
export type ImportN8nInput = z.input<typeof importN8nSchema>;

/**
 * ready: does the same. check: imported, but a person has to look at it or complete it. unsupported: a disabled
 * placeholder step, or a trigger that does not exist here.
 */
export const importResultSchema = z.enum(["ready", "check", "unsupported"]);
export type ImportResult = z.infer<typeof importResultSchema>;

const rewriteSchema = z
  .object({
    field: z.string().describe("The n8n parameter, such as `jsonBody` or `parameters.values.0.value`"),
    before: z.string(),
    after: z.string(),
    result: importResultSchema,
    note: z.string().optional().describe("What to look at, in plain words"),
  })
  .meta({ id: "N8nRewrite" });
export type N8nRewrite = z.infer<typeof rewriteSchema>;

export const n8nNodeSchema = z
  .object({
    name: z.string().describe("The name in n8n"),
    type: z.string().describe("The type in n8n, such as n8n-nodes-base.httpRequest"),
    becomes: z
      .enum(["step", "trigger", "note", "part", "nothing"])
      .describe(
        "`part`: a setting of the step `stepId`, as a model is of an agent. `nothing`: it has no effect here, as the pass-through of a loop",
      ),
    stepId: z.string().optional().describe("Of the step, or of the step that it is a part of"),
    stepType: z.string().optional(),
    inside: z.string().optional().describe("The step id of the loop that contains the step"),
    result: importResultSchema,
    note: z.string().describe("One or two short sentences; empty when there is nothing to say"),
    app: z.string().optional().describe("The id of the app whose action or event is used"),
    connection: z
      .object({
        kind: z.string().describe("The kind of connection, such as `postgres`, `smtp`, `header` or `app`"),
        app: z.string().optional().describe("The app, where the kind is `app`"),
        chosen: z.string().optional().describe("The id that `connections` of the request has for this node"),
        credential: z.string().optional().describe("The name of the credential in n8n"),
      })
      .optional()
      .describe("The connection that the step needs"),
    code: rewriteSchema.optional().describe("The code of the node, before and after"),
    expressions: z.array(rewriteSchema).describe("Expressions of the node, before and after"),
  })
  .meta({ id: "N8nNode" });
export type N8nNode = z.infer<typeof n8nNodeSchema>;

/** The values with which a person creates the trigger: it is a record of its own, and an import never goes live. */
export const n8nTriggerSchema = z
  .object({
    node: z.string().describe("The name of the n8n node"),
    kind: z
      .enum([
        "run",
        "endpoint",
        "webhook",
        "schedule",
        "form",
        "chat",
        "email",
        "rss",
        "app",
        "workflow",
        "error",
      ])
      .describe(
        "`run`: started by hand, nothing to add. `workflow`: started by a step of another workflow. `error`: choose this workflow as the error workflow of others",
      ),
    result: importResultSchema,
    note: z.string(),
    cron: z.string().optional().describe("Of a schedule"),
    timezone: z.string().optional().describe("Of a schedule, when the file names one"),
    method: z.string().optional().describe("Of a webhook or endpoint"),
    path: z.string().optional().describe("Of a webhook or endpoint, as in n8n"),
    customResponse: z
      .boolean()
      .optional()
      .describe("Of a webhook whose sender waits for the response of the run"),
    url: z.string().optional().describe("Of a feed"),
    title: z.string().optional().describe("Of a form or chat"),
    app: z.string().optional().describe("The id of the app"),
    event: z.string().optional().describe("The id of the event of the app"),
  })
  .meta({ id: "N8nTrigger" });
export type N8nTrigger = z.infer<typeof n8nTriggerSchema>;

const report = {
  source: z
    .object({
      name: z.string(),
      n8nVersion: z.string().optional().describe("When the file has it"),
      nodes: z.int().describe("Without sticky notes"),
      lines: z.int(),
      notes: z.int(),
    })
    .describe("What was read"),
  counts: z.object({ ready: z.int(), check: z.int(), unsupported: z.int() }).describe("Nodes by result"),
  nodes: z.array(n8nNodeSchema).describe("Every n8n node in the order of the file, without sticky notes"),
  triggers: z.array(n8nTriggerSchema).describe("Not created: add them after the import"),
  warnings: z.array(problemSchema).describe("Of the draft: allowed, but probably not intended"),
};

/** Not saved, so it has no id and no version. */
export const n8nPreviewResponseSchema = success({
  workflow: z.object({
    name: nameField,
    description: descriptionField,
    metadata: uncheckedGraphSchema,
    responseStepId: z
      .string()
      .optional()
      .describe("Becomes `apiSettings.responseStepId`: the step whose output is the response of a webhook"),
  }),
  ...report,
});
export const n8nImportResponseSchema = success({
  workflow: workflowSchema.describe("Without steps until its draft is published"),
  ...report,
});
export type N8nReport = Omit<z.infer<typeof n8nPreviewResponseSchema>, "ok">;
