import * as z from "zod";
import { success, text, timeSchema } from "./api.ts";
import { MAX_CHAT_MESSAGE_LENGTH } from "./chat-message-length.ts";

/** Chosen by the browser at random: the holder of the id, and the owner of the chat, may read the conversation. */
const conversationIdSchema = z
  .string()
  .regex(/^[\w-]{22,64}$/, "must be 22 to 64 random letters, digits, - and _")
  .describe("At least 128 random bits, chosen by the client: anyone who knows it can read the conversation")
  .meta({ examples: ["Zk3vT9qLr2mXw8yBn4cDhA"] });

export const chatParamsSchema = z.object({ slug: z.string().max(63) });
export const conversationParamsSchema = chatParamsSchema.extend({ conversationId: conversationIdSchema });

/** What anyone who knows the address of a chat may read. */
export const publicChatSchema = z
  .object({
    title: z.string(),
    greeting: z.string(),
    placeholder: z.string(),
    loginRequired: z.boolean(),
  })
  .meta({ id: "PublicChat" });
export type PublicChat = z.infer<typeof publicChatSchema>;
export const publicChatResponseSchema = success({ chat: publicChatSchema });

export const sendChatMessageSchema = z.object({
  conversationId: conversationIdSchema,
  messageId: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .describe("Unique in the conversation. The same id again is the same message: it starts no second run"),
  message: text(MAX_CHAT_MESSAGE_LENGTH, 1),
});
export type SendChatMessage = z.infer<typeof sendChatMessageSchema>;

/** The events of one answer, in order. `finished` or `failed` is the last. */
export const publicChatEventSchema = z
  .discriminatedUnion("event", [
    z.object({ event: z.literal("started") }).meta({ id: "PublicChatStartedEvent" }),
    z
      .object({ event: z.literal("text"), text: z.string() })
      .meta({ id: "PublicChatTextEvent", description: "The next part of the answer" }),
    z
      .object({ event: z.literal("finished"), text: z.string() })
      .meta({ id: "PublicChatFinishedEvent", description: "The whole answer, in place of its parts" }),
    z
      .object({ event: z.literal("failed"), error: z.string(), message: z.string() })
      .meta({ id: "PublicChatFailedEvent" }),
  ])
  .meta({ id: "PublicChatEvent" });
export type PublicChatEvent = z.infer<typeof publicChatEventSchema>;

export const conversationResponseSchema = success({
  messages: z.array(
    z
      .object({
        role: z.enum(["user", "assistant"]),
        text: z.string(),
        messageId: z.string(),
        status: z
          .enum(["answered", "running", "failed"])
          .describe("Of the answer: a message without one has `running` or `failed`"),
        createdAt: timeSchema,
      })
      .meta({ id: "ConversationMessage" }),
  ),
});
export type ConversationMessage = z.infer<typeof conversationResponseSchema>["messages"][number];
