import * as z from "zod";
import { success } from "./api.ts";

export const PROVIDERS = ["openai", "anthropic", "google", "ollama", "openai-compatible"] as const;

/** A configured model. Never contains its API key. */
export const modelSchema = z
  .object({
    provider: z.string(),
    model: z.string(),
    isDefault: z.boolean().describe("Used by steps and agents that name neither provider nor model"),
    isFallback: z.boolean().describe("Used when the default model fails"),
  })
  .meta({ id: "Model" });

export const usageSchema = z
  .object({ inputTokens: z.int(), outputTokens: z.int(), totalTokens: z.int() })
  .meta({ id: "TokenUsage" });

export const costSchema = z
  .object({ amount: z.number(), currency: z.string() })
  .meta({ id: "Cost" })
  .describe("Money, by the prices of LLM_PRICES; absent for models without a price");

export const modelListResponseSchema = success({ models: z.array(modelSchema) });
