import { createAiSdkModel } from "./ai-sdk-model.ts";
import { withFallback } from "./fallback-model.ts";
import type { LanguageModel, LanguageModels, ModelChoice } from "./language-model.ts";
import { llmNotConfigured } from "./model-failure.ts";
import type { ModelSettings } from "./model-settings.ts";
import { DEFAULT_MODELS, OLLAMA_URL, type VendorSettings } from "./vendors.ts";

/** The first is the default. `fetch` goes through the guard, with the tries and time limits of model-fetch. */
export function createLanguageModels(
  entries: readonly ModelSettings[],
  fetch: typeof globalThis.fetch,
): LanguageModels {
  const created = new Map<string, LanguageModel>();

  /** Kept, because the vendor's library is loaded once a model; bounded, because users choose the names. */
  function modelOf(settings: VendorSettings): LanguageModel {
    const key = JSON.stringify(settings);
    const known = created.get(key);
    if (known !== undefined) return known;
    if (created.size >= 200) created.clear();
    const model = createAiSdkModel(settings, fetch);
    created.set(key, model);
    return model;
  }

  return {
    list: () =>
      entries.map((entry, index) => ({
        provider: entry.provider,
        model: entry.model ?? DEFAULT_MODELS[entry.provider] ?? "",
        isDefault: index === 0,
        isFallback: entry.fallback === true,
      })),
    get(choice = {}) {
      const entry = entryFor(choice, entries);
      const model = modelOf(complete(entry, choice.model));
      if (choice.provider || choice.model) return model;
      const others = entries.filter((other) => other !== entry && other.fallback);
      return withFallback(
        model,
        others.map((other) => modelOf(complete(other))),
      );
    },
  };
}

/** The entry that serves this choice: an exact one, else one of the provider, whose key opens its other models. */
function entryFor({ provider, model }: ModelChoice, entries: readonly ModelSettings[]): ModelSettings {
  const [first] = entries;
  if (first === undefined)
    throw llmNotConfigured(
      "No language model is configured: the operator has to set LLM_PROVIDER, LLM_MODEL and, where the provider wants one, LLM_API_KEY.",
    );
  const ofProvider = provider ? entries.filter((entry) => entry.provider === provider) : entries;
  const [firstOfProvider] = ofProvider;
  if (firstOfProvider === undefined)
    throw llmNotConfigured(
      `No model of the provider "${provider}" is configured: the operator has to set it as LLM_PROVIDER or add it to LLM_MODELS.`,
    );
  const exact = ofProvider.find((entry) => model && entry.model === model);
  return exact ?? firstOfProvider;
}

function complete(entry: ModelSettings, askedModel?: string): VendorSettings {
  const { provider, apiKey, baseUrl } = entry;
  const model = askedModel || entry.model || DEFAULT_MODELS[provider];
  if (!model) throw llmNotConfigured(`LLM_PROVIDER=${provider} needs LLM_MODEL, the model's name.`);
  if (provider === "openai-compatible" && !baseUrl)
    throw llmNotConfigured("LLM_PROVIDER=openai-compatible needs LLM_BASE_URL, the address of the server.");
  // A server of one's own may want no key; a vendor's always does.
  if (provider !== "ollama" && !apiKey && !baseUrl)
    throw llmNotConfigured(`LLM_PROVIDER=${provider} needs LLM_API_KEY.`);
  return { provider, model, apiKey, baseUrl };
}

/**
 * The addresses that the operator named, as egress rules: a model on the operator's own machine is reachable
 * though users' steps may not go there.
 */
export function modelHosts(entries: readonly ModelSettings[]): string[] {
  return entries.flatMap(({ provider, baseUrl }) => {
    const address = baseUrl ?? (provider === "ollama" ? OLLAMA_URL : undefined);
    if (address === undefined || !URL.canParse(address)) return [];
    const { hostname, port, protocol } = new URL(address);
    return [`${hostname}:${port || (protocol === "https:" ? 443 : 80)}`];
  });
}
