import { modelRoutes } from "../http/model-routes.ts";
import type { LanguageModels } from "../models/language-model.ts";
import { openLanguageModels } from "../models/open-models.ts";
import type { Ground, Part } from "./part.ts";

export function createModelsPart({ config }: Ground): Part & { models: LanguageModels } {
  const { models, close } = openLanguageModels({ ...config.llm, listenHost: config.host, ...config.egress });
  return { models, routes: (http) => modelRoutes(http, models), close };
}
