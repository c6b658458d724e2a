import type { LanguageModel as VendorModel } from "ai";
import type { PROVIDERS } from "../../contract/models.ts";
import { trimEndOf } from "../../contract/trim-end.ts";

export type Provider = (typeof PROVIDERS)[number];

export interface VendorSettings {
  provider: Provider;
  model: string;
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
}

export type ModelObject = Exclude<VendorModel, string>;

export const OLLAMA_URL = "http://127.0.0.1:11434";

/** Defaults for providers. An openai-compatible server has none, because it may serve any model. */
export const DEFAULT_MODELS: Readonly<Partial<Record<Provider, string>>> = {
  openai: "gpt-5-mini",
  anthropic: "claude-sonnet-4-5",
  google: "gemini-2.5-flash",
  ollama: "llama3.2",
};

/**
 * Loads the vendor's library with the first call: all of them take 40 MB that an idle service does not need. A key is
 * always passed, even an empty one, or the library would read the environment.
 */
export async function loadVendorModel(
  { provider, model, apiKey = "", baseUrl }: VendorSettings,
  fetch: typeof globalThis.fetch,
): Promise<ModelObject> {
  const settings = { apiKey, fetch, ...(baseUrl === undefined ? {} : { baseURL: trimmed(baseUrl) }) };
  switch (provider) {
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      // The chat completions API and not the responses API: every OpenAI-compatible proxy supports it.
      return createOpenAI(settings).chat(model);
    }
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic(settings)(model);
    }
    case "google": {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      return createGoogleGenerativeAI(settings)(model);
    }
    case "ollama":
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const baseURL = provider === "ollama" ? ollamaUrl(baseUrl ?? OLLAMA_URL) : trimmed(baseUrl ?? "");
      const key = apiKey === "" ? {} : { apiKey };
      return createOpenAICompatible({ name: provider, baseURL, fetch, includeUsage: true, ...key })(model);
    }
  }
}

/** Users set Ollama's own address. Its OpenAI-compatible API is under /v1. */
function ollamaUrl(given: string): string {
  const url = trimmed(given);
  return new URL(url).pathname === "/" ? `${url}/v1` : url;
}

function trimmed(url: string): string {
  return trimEndOf(url, "/");
}
