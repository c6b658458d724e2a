import { PROVIDERS } from "../../contract/models.ts";
import { createAiSdkModel } from "./ai-sdk-model.ts";
import { withFallback } from "./fallback-model.ts";
import type { LanguageModel, LanguageModels, ModelChoice } from "./language-model.ts";
import { llmNotConfigured } from "./model-failure.ts";
import type { ModelPrices } from "./model-prices.ts";
import type { ModelSettings } from "./model-settings.ts";
import { watchModel, type ModelWatch } from "./watched-model.ts";
import { DEFAULT_MODELS, OLLAMA_URL, type VendorSettings } from "./vendors.ts";

/**
 * The first entry is the default. `fetch` is the guarded one, with the retries and time limits of model-fetch.ts;
 * `withRetries` adds those to the fetch of a connection.
 */
export function createLanguageModels(
  entries: readonly ModelSettings[],
  fetch: typeof globalThis.fetch,
  prices: ModelPrices = { currency: "USD", models: {} },
  withRetries: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch = (given) => given,
  watch?: ModelWatch,
): LanguageModels {
  const create = (settings: VendorSettings, vendorFetch: typeof globalThis.fetch): LanguageModel => {
    const model = createAiSdkModel(settings, vendorFetch, prices);
    return watch === undefined ? model : watchModel(model, watch);
  };
  const created = new Map<string, LanguageModel>();

  /** Cached, because each model loads the vendor's library; bounded, because users choose model names. */
  function modelOf(settings: VendorSettings): LanguageModel {
    const key = JSON.stringify(settings);
    const known = created.get(key);
    if (known !== undefined) return known;
    if (created.size >= 200) created.clear();
    const model = create(settings, fetch);
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
      if (choice.connection !== undefined)
        return create(connectedSettings(choice), withRetries(choice.connection.fetch));
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

/** The entry for a choice: an exact match, else the first of the provider, whose key also serves its other models. */
function entryFor({ provider, model }: ModelChoice, entries: readonly ModelSettings[]): ModelSettings {
  const [first] = entries;
  if (first === undefined)
    throw llmNotConfigured(
      "No language model is configured. Set LLM_PROVIDER, LLM_MODEL and, if the provider requires one, LLM_API_KEY, or choose a connection to your own account.",
    );
  const ofProvider = provider ? entries.filter((entry) => entry.provider === provider) : entries;
  const [firstOfProvider] = ofProvider;
  if (firstOfProvider === undefined)
    throw llmNotConfigured(
      `No model of the provider "${provider}" is configured. Set it as LLM_PROVIDER or add it to LLM_MODELS.`,
    );
  const exact = ofProvider.find((entry) => model && entry.model === model);
  return exact ?? firstOfProvider;
}

function complete(entry: ModelSettings, askedModel?: string): VendorSettings {
  const { provider, apiKey, baseUrl } = entry;
  const model = askedModel || entry.model || DEFAULT_MODELS[provider];
  if (!model)
    throw llmNotConfigured(
      `LLM_PROVIDER=${provider} has no default model. Set LLM_MODEL to the model's name.`,
    );
  if (provider === "openai-compatible" && !baseUrl)
    throw llmNotConfigured(
      "LLM_PROVIDER=openai-compatible has no address. Set LLM_BASE_URL to the address of the server.",
    );
  // A self-hosted server may need no key; a vendor always does.
  if (provider !== "ollama" && !apiKey && !baseUrl)
    throw llmNotConfigured(`LLM_PROVIDER=${provider} has no key. Set LLM_API_KEY.`);
  return { provider, model, apiKey, baseUrl };
}

/** The keys and addresses of this instance are not for a connection of a user. */
function connectedSettings({ provider: name = "", model, connection }: ModelChoice): VendorSettings {
  const provider = PROVIDERS.find((each) => each === name);
  if (provider === undefined)
    throw llmNotConfigured(
      `A model with a connection needs a provider: one of ${PROVIDERS.join(", ")}${name === "" ? "" : `, not "${name.slice(0, 50)}"`}.`,
    );
  const chosen = model || DEFAULT_MODELS[provider];
  if (!chosen) throw llmNotConfigured(`The provider ${provider} has no default model. Name the model.`);
  const baseUrl = connection?.baseUrl;
  if ((provider === "openai-compatible" || provider === "ollama") && !baseUrl)
    throw llmNotConfigured(`The provider ${provider} needs the address of the server in baseUrl.`);
  return { provider, model: chosen, baseUrl };
}

/**
 * The configured addresses as egress rules: a model on the operator's own machine is reachable although steps of users
 * may not connect to it.
 */
export function modelHosts(entries: readonly ModelSettings[]): string[] {
  return entries.flatMap(({ provider, baseUrl }) => {
    const address = baseUrl ?? (provider === "ollama" ? OLLAMA_URL : undefined);
    if (address === undefined || !URL.canParse(address)) return [];
    const { hostname, port, protocol } = new URL(address);
    return [`${hostname}:${port || (protocol === "https:" ? 443 : 80)}`];
  });
}
