import * as z from "zod";

/** OpenAI's chat API as far as this service speaks it. Field names and shapes are OpenAI's. */

const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() });
const contentSchema = z
  .union([z.string(), z.array(partSchema)])
  .nullish()
  .describe("A text, or parts of the type `text`");

export const chatMessageSchema = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
  content: contentSchema,
  name: z.string().optional(),
});

export const chatCompletionRequestSchema = z
  .looseObject({
    model: z.string().describe("The name of an exposed workflow, agent or team"),
    messages: z.array(chatMessageSchema).min(1).max(10_000),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
    n: z.number().nullish(),
    tools: z.array(z.unknown()).nullish(),
    functions: z.array(z.unknown()).nullish(),
    response_format: z.looseObject({ type: z.string() }).nullish(),
    modalities: z.array(z.string()).nullish(),
  })
  .meta({ id: "ChatCompletionRequest" })
  .describe("Other parameters of OpenAI's API are accepted and ignored");
export type ChatCompletionRequest = z.infer<typeof chatCompletionRequestSchema>;

export const chatUsageSchema = z
  .object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
  .describe("Tokens of all models that the run called");
export type ChatUsage = z.infer<typeof chatUsageSchema>;

export const chatCompletionSchema = z
  .object({
    id: z.string().describe("The id of the task; of a team, the id of the session"),
    object: z.literal("chat.completion"),
    created: z.int().describe("Seconds since 1970"),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.int(),
        message: z.object({ role: z.literal("assistant"), content: z.string(), refusal: z.null() }),
        logprobs: z.null(),
        finish_reason: z.literal("stop"),
      }),
    ),
    usage: chatUsageSchema,
  })
  .meta({ id: "ChatCompletion" });
export type ChatCompletion = z.infer<typeof chatCompletionSchema>;

export const chatModelSchema = z
  .object({
    id: z.string().describe("The name to send as `model`"),
    object: z.literal("model"),
    created: z.int(),
    owned_by: z.enum(["workflow", "agent", "team"]),
    name: z.string().describe("The title of the workflow, agent or team"),
    description: z.string(),
  })
  .meta({ id: "ChatModel" });
export type ChatModel = z.infer<typeof chatModelSchema>;

export const chatModelListSchema = z.object({ object: z.literal("list"), data: z.array(chatModelSchema) });

export const chatErrorSchema = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      code: z.string().nullable(),
      param: z.string().nullable(),
    }),
  })
  .meta({ id: "ChatError" });
export type ChatError = z.infer<typeof chatErrorSchema>;
