import { generationRoutes } from "../http/generation-routes.ts";
import { createRateLimiter } from "../lib/rate-limiter.ts";
import type { LanguageModels } from "../models/language-model.ts";
import { createGeneration } from "../workflows/generation/generate.ts";
import type { Workflows } from "../workflows/workflows.ts";
import type { Ground, Part } from "./part.ts";

/** Workflows from plain words. It knows no engine: what it makes, it cannot run. */
export function createGenerationPart(
  { config, clock }: Ground,
  workflows: Workflows,
  models: LanguageModels,
): Part {
  const { steps, generatePerMinute } = config.limits;
  const generation = createGeneration({ models, workflows, maxSteps: steps });
  const limiter = createRateLimiter(generatePerMinute, clock);
  return { routes: (http) => generationRoutes(http, { generation, limiter }) };
}
