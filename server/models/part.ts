import { modelRoutes } from "./model.routes.ts";
import { measureCalls } from "./measured-calls.ts";
import type { LanguageModels } from "./language-model.ts";
import { traceCalls } from "./traced-calls.ts";
import { bothWatches } from "./watched-model.ts";
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
    watch: bothWatches(
      measureCalls(metrics.models),
      tracing && traceCalls(tracing, { capturesContent: config.telemetry?.capturesContent === true }),
    ),
    queue: limits.share({ share: "model_calls", slots: config.modelCalls, perKey: "model_calls" }),
  });
  return { models, routes: (http) => modelRoutes(http, models), close };
}
