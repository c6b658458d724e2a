import * as z from "zod";
import { limitedRecord, nameText, nextCursorSchema, success, text, timeSchema } from "./api.ts";
import { costSchema, usageSchema } from "./models.ts";

const ids = z.array(text(200, 1)).max(100);

const toolsSchema = z
  .object({
    workflows: ids.default([]).describe("Ids of your workflows that the agent may run"),
    documents: ids.default([]).describe("Ids of your documents that the agent may query"),
    collections: ids.optional().describe("Ids of collections whose documents the agent may query"),
    mcp: z
      .array(
        z.object({
          server: text(200, 1).describe("The id of one of your MCP servers"),
          tools: z.array(text(200, 1)).max(200).optional().describe("Names of tools; all of them by default"),
          permission: z
            .enum(["ask", "allow"])
            .optional()
            .describe(
              "`ask`: a person allows each call, in the playground at once and elsewhere by an approval. `allow`: nobody is asked. By default only the playground asks",
            ),
        }),
      )
      .max(20)
      .optional()
      .describe("MCP servers whose tools the agent may call"),
    apps: z
      .array(
        z.object({
          app: text(100, 1).describe("The app, by id"),
          connection: text(200, 1).describe("The id of one of your connections of the app"),
          actions: z
            .array(text(100, 1))
            .max(200)
            .optional()
            .describe("Ids of actions; all of them by default"),
          permissions: limitedRecord(text(100, 1), z.enum(["allow", "ask", "never"]), 1000)
            .optional()
            .describe(
              "By action. Without an entry, actions that read are allowed and actions that write ask a person first: in the playground at once, elsewhere by an approval",
            ),
        }),
      )
      .max(20)
      .optional()
      .describe("Apps whose actions the agent may use"),
    memory: z
      .boolean()
      .optional()
      .describe("The agent may remember values between its runs, and recall them; false by default"),
  })
  .meta({ id: "AgentTools" });

/** What one answer may use. The step that exceeds the tokens is still paid for. */
const limitsSchema = z
  .object({
    modelCalls: z.int().min(1).max(50).optional().describe("12 by default"),
    tokens: z.int().min(100).max(10_000_000).optional().describe("Unlimited by default"),
  })
  .meta({ id: "AgentLimits" });

export const createAgentSchema = z.object({
  name: nameText(200),
  description: text(10_000).optional(),
  role: text(200).optional().describe("A few words, such as researcher"),
  provider: text(100, 1).nullable().optional().describe("The default provider when absent"),
  model: text(200, 1).nullable().optional(),
  connection: text(200, 1)
    .nullable()
    .optional()
    .describe(
      "One of your connections, by id: the model is called with your account at the provider, in place of that of this instance. Needs `provider`",
    ),
  baseUrl: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .max(2000)
    .nullable()
    .optional()
    .describe("The address of the model server; by default that of the provider. Only with `connection`"),
  capabilities: z.array(text(100, 1)).max(100).optional(),
  systemPrompt: text(100_000).optional(),
  temperature: z.number().min(0).max(2).nullable().optional(),
  tools: toolsSchema.optional(),
  limits: limitsSchema.optional(),
});
export type CreateAgent = z.infer<typeof createAgentSchema>;

export const updateAgentSchema = createAgentSchema.partial();
export type UpdateAgent = z.infer<typeof updateAgentSchema>;

export const agentSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    role: z.string(),
    provider: z.string().nullable(),
    model: z.string().nullable(),
    connection: z.string().nullable(),
    baseUrl: z.string().nullable(),
    capabilities: z.array(z.string()),
    systemPrompt: z.string(),
    temperature: z.number().nullable(),
    tools: toolsSchema,
    limits: limitsSchema.optional(),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: "Agent" });
export type Agent = z.infer<typeof agentSchema>;

export type Usage = z.infer<typeof usageSchema>;

export const agentResponseSchema = success({ agent: agentSchema });
export const agentListResponseSchema = success({
  agents: z.array(agentSchema),
  nextCursor: nextCursorSchema,
});

export const runAgentSchema = z.object({
  input: z
    .unknown()
    .refine((value) => value !== undefined && value !== null && value !== "", "must not be empty")
    .describe("Text, or any JSON"),
});
export const agentRunResponseSchema = success({
  output: z.string(),
  usage: usageSchema,
  cost: costSchema.optional(),
  model: z.string().describe("`provider/model` that answered"),
});
