import { generationRoutes } from "./generation.routes.ts";
import type { LanguageModels } from "../../models/language-model.ts";
import { createGeneration } from "./generate.ts";
import type { Workflows } from "../workflows.ts";
import type { Platform, Part } from "../../platform/part.ts";

/** Generates workflows from descriptions. It has no access to the engine, so it cannot run them. */
export function createGenerationPart(
  { config, limiter }: Platform,
  workflows: Workflows,
  models: LanguageModels,
): Part {
  const { steps, generatePerMinute } = config.limits;
  const generation = createGeneration({ models, workflows, maxSteps: steps });
  return {
    routes: (http) => generationRoutes(http, { generation, limiter: limiter("generate", generatePerMinute) }),
  };
}
