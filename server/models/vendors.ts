import type { LanguageModel as VendorModel } from "ai";

export const PROVIDERS = ["openai", "anthropic", "google", "ollama", "openai-compatible"] as const;
export type Provider = (typeof PROVIDERS)[number];

export interface VendorSettings {
  provider: Provider;
  model: string;
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
}

export type ModelObject = Exclude<VendorModel, string>;

export const OLLAMA_URL = "http://127.0.0.1:11434";

/** For a provider whose key alone is set. A compatible server may serve anything, so it has none. */
export const DEFAULT_MODELS: Readonly<Partial<Record<Provider, string>>> = {
  openai: "gpt-5-mini",
  anthropic: "claude-sonnet-4-5",
  google: "gemini-2.5-flash",
  ollama: "llama3.2",
};

/**
 * The vendor's library, loaded when its first model speaks: they take 40 MB that an idle service needs not
 * hold. A key is always given, if an empty one, or the library would look into the environment for itself.
 */
export async function loadVendorModel(
  { provider, model, apiKey = "", baseUrl }: VendorSettings,
  fetch: typeof globalThis.fetch,
): Promise<ModelObject> {
  const settings = { apiKey, fetch, ...(baseUrl === undefined ? {} : { baseURL: trimmed(baseUrl) }) };
  switch (provider) {
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      // Chat completions and not responses: every proxy that stands in for OpenAI speaks them.
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

/** People give Ollama's own address; its OpenAI-compatible part lies under /v1. */
function ollamaUrl(given: string): string {
  const url = trimmed(given);
  return new URL(url).pathname === "/" ? `${url}/v1` : url;
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, "");
}
