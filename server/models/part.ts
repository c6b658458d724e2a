import { modelRoutes } from "./model.routes.ts";
import type { LanguageModels } from "./language-model.ts";
import { openLanguageModels } from "./open-models.ts";
import type { Platform, Part } from "../platform/part.ts";

export function createModelsPart({ config }: Platform): Part & { models: LanguageModels } {
  const { models, close } = openLanguageModels({ ...config.llm, ...config.egress });
  return { models, routes: (http) => modelRoutes(http, models), close };
}
