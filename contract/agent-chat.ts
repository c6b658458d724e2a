import * as z from "zod";
import { updateAgentSchema } from "./agents.ts";
import { success, text } from "./api.ts";
import { costSchema, usageSchema } from "./models.ts";

const toolCallSchema = z.object({
  id: text(200, 1),
  name: text(64, 1),
  input: z.unknown(),
  output: z.unknown(),
  failed: z.boolean(),
});

const chatMessageSchema = z.object({
  role: z.enum(["user", "assistant"]),
  content: text(100_000),
  toolCalls: z
    .array(toolCallSchema)
    .max(100)
    .optional()
    .describe("What the assistant called before this text"),
});

export const agentChatSchema = z.object({
  messages: z
    .array(chatMessageSchema)
    .min(1)
    .max(200)
    .refine((list) => list.at(-1)?.role === "user", "must end with a message of the user")
    .describe("The conversation so far, the new message last"),
  draft: updateAgentSchema.optional().describe("Fields that replace those of the agent, without saving them"),
});
export type AgentChat = z.input<typeof agentChatSchema>;

/** Milliseconds since the message was received. */
const at = z.int();
const spent = { usage: usageSchema, cost: costSchema.optional() };

/** The events of one answer, in order. `finished` or `failed` is the last. */
export const agentChatEventSchema = z
  .discriminatedUnion("event", [
    z
      .object({ event: z.literal("started"), at, chatId: z.string(), model: z.string() })
      .meta({ id: "ChatStartedEvent" }),
    z.object({ event: z.literal("text"), at, text: z.string() }).meta({ id: "ChatTextEvent" }),
    z
      .object({
        event: z.literal("tool_call"),
        at,
        id: z.string(),
        name: z.string(),
        title: z.string().describe("The workflow's name"),
        input: z.unknown(),
        asksFirst: z.boolean().describe("The tool runs once the user has allowed it"),
      })
      .meta({ id: "ChatToolCallEvent" }),
    z.object({ event: z.literal("tool_started"), at, id: z.string() }).meta({ id: "ChatToolStartedEvent" }),
    z
      .object({
        event: z.literal("tool_result"),
        at,
        id: z.string(),
        output: z.unknown(),
        failed: z.boolean(),
        denied: z.boolean(),
      })
      .meta({ id: "ChatToolResultEvent" }),
    z
      .object({
        event: z.literal("finished"),
        at,
        text: z.string(),
        model: z.string(),
        ...spent,
        calls: z.array(z.object(spent)).describe("What each call of the model used"),
      })
      .meta({ id: "ChatFinishedEvent" }),
    z
      .object({ event: z.literal("failed"), at, error: z.string(), message: z.string() })
      .meta({ id: "ChatFailedEvent" }),
  ])
  .meta({ id: "ChatEvent" });
export type AgentChatEvent = z.infer<typeof agentChatEventSchema>;

export const decideToolCallSchema = z.object({ allow: z.boolean() });
export const decidedToolCallSchema = success({});
