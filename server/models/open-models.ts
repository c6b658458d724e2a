import { createEgress, type EgressOptions } from "../security/egress.ts";
import { createLanguageModels, modelHosts } from "./configured-models.ts";
import type { LanguageModels } from "./language-model.ts";
import { createModelFetch } from "./model-fetch.ts";
import type { ModelSettings } from "./model-settings.ts";

export interface OpenModelsOptions extends EgressOptions {
  models: readonly ModelSettings[];
  timeoutMs: number;
}

export interface OpenModels {
  models: LanguageModels;
  close(): Promise<void>;
}

/**
 * The configured models with an egress policy of their own. It allows exactly the configured addresses, so that a model
 * on this machine works on a public server too. Metadata addresses and EGRESS_DENY stay blocked.
 */
export function openLanguageModels({ models, timeoutMs, allow, ...rules }: OpenModelsOptions): OpenModels {
  const egress = createEgress({ ...rules, allow: [...allow, ...modelHosts(models)] });
  const fetch = createModelFetch({ fetch: egress.webFetch, timeoutMs });
  return { models: createLanguageModels(models, fetch), close: () => egress.close() };
}
