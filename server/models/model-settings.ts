import * as z from "zod";
import { PROVIDERS } from "../../contract/models.ts";

const modelSettingsSchema = z.strictObject({
  provider: z.enum(PROVIDERS),
  model: z.string().min(1).optional(),
  apiKey: z.string().min(1).optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  fallback: z.boolean().optional(),
});

/** One configured model: the LLM_* settings, or an entry of LLM_MODELS. */
export type ModelSettings = z.infer<typeof modelSettingsSchema>;

/** Parses LLM_MODELS. Errors name the path and never the value, which may be a key. */
export function readModelList(text: string, context: z.RefinementCtx): ModelSettings[] {
  if (text === "") return [];
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    context.addIssue('must be a JSON list such as [{"provider": "anthropic", "apiKey": "…"}]');
    return [];
  }
  const parsed = z.array(modelSettingsSchema).max(50).safeParse(list);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) context.addIssue(`at ${path.join(".")}: ${message}`);
  return [];
}
