import { modelRoutes } from "./model.routes.ts";
import { measureCalls } from "./measured-calls.ts";
import type { LanguageModels } from "./language-model.ts";
import { openLanguageModels } from "./open-models.ts";
import type { Platform, Part } from "../platform/part.ts";

export function createModelsPart({
  config,
  limits,
  metrics,
  tracing,
}: Platform): Part & { models: LanguageModels } {
  const { models, close } = openLanguageModels({
    ...config.llm,
    ...config.egress,
    tracing,
    watch: measureCalls(metrics.models),
    queue: limits.share({ share: "model_calls", slots: config.modelCalls, perKey: "model_calls" }),
  });
  return { models, routes: (http) => modelRoutes(http, models), close };
}
