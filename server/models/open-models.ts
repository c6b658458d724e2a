import { createEgress, type EgressOptions } from "../security/egress.ts";
import type { FairQueue } from "../lib/fair-queue.ts";
import { createLanguageModels, modelHosts } from "./configured-models.ts";
import type { LanguageModels } from "./language-model.ts";
import { createModelFetch } from "./model-fetch.ts";
import type { ModelPrices } from "./model-prices.ts";
import type { ModelSettings } from "./model-settings.ts";
import type { ModelWatch } from "./watched-model.ts";
import { createModelShare } from "./shared-models.ts";

export interface OpenModelsOptions extends EgressOptions {
  /** Unset: every call starts at once. */
  queue?: FairQueue;
  models: readonly ModelSettings[];
  timeoutMs: number;
  prices?: ModelPrices | undefined;
  /** Observes every call, also those of fallbacks and of connections. */
  watch?: ModelWatch | undefined;
}

export interface OpenModels {
  models: LanguageModels;
  close(): Promise<void>;
}

/**
 * The configured models with their own egress policy. It allows exactly the configured addresses, so that a model
 * on this machine works on a public server too. Metadata addresses and EGRESS_DENY stay blocked.
 */
export function openLanguageModels({
  models: entries,
  timeoutMs,
  prices,
  queue,
  watch,
  allow,
  ...rules
}: OpenModelsOptions): OpenModels {
  const turns = queue && createModelShare(queue);
  const egress = createEgress({ ...rules, allow: [...allow, ...modelHosts(entries)] });
  const withRetries = (fetch: typeof globalThis.fetch) =>
    createModelFetch({ fetch, timeoutMs, ...(turns && { inTurn: turns.request }) });
  const models = createLanguageModels(entries, withRetries(egress.webFetch), prices, withRetries, watch);
  return { models: turns?.share(models) ?? models, close: () => egress.close() };
}
