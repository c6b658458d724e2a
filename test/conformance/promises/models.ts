import type { Section } from "./section.ts";

export const models: Section = {
  title: "Generation and models",
  promises: [
    {
      id: "16.1",
      text: "`POST /api/workflows/generate-ai` → 201 `{ok, workflow, warnings, generatedBy}`; `save: false` stores nothing.",
      proofs: [
        "test/models/generation.test.ts › the model's workflow is saved, and its prompt contains every step type and the rules",
        "test/models/generation.test.ts › save: false returns the graph and stores nothing",
      ],
    },
    {
      id: "16.2",
      text: "Errors go back to the model at most twice; then the response is 422 `generation_failed` and nothing is saved.",
      proofs: [
        "test/models/generation.test.ts › [R26] an invalid workflow is returned to the model with the errors, at most twice",
        "test/models/generation.test.ts › [R26] a workflow that stays invalid is 422 generation_failed, and nothing is saved",
      ],
    },
    {
      id: "16.3",
      text: "Generation is limited to 10 per minute and user, never runs a step, and takes prompts of 1–4,000 characters.",
      proofs: [
        "test/models/generation.test.ts › [S23] ten requests a minute per user with Retry-After, regardless of X-Forwarded-For",
        "test/models/generation.test.ts › [S11] generating runs no step and calls no address of the graph",
        "test/models/generation.test.ts › a prompt that is missing, empty, too long or not text is 400",
      ],
    },
    {
      id: "16.4",
      text: "Output is normalized to the builder's fields and validated: duplicate ids, missing edges, invalid types.",
      proofs: [
        "server/workflows/generation/normalise.test.ts › ids become unique slugs, and references and edges follow",
        "test/models/generation.test.ts › [R26] an invalid workflow is returned to the model with the errors, at most twice",
        "test/models/generation.test.ts › a graph %s is corrected without a second request",
      ],
    },
    {
      id: "16.5",
      text: "Providers: openai, anthropic, google, ollama, openai-compatible, at any address.",
      proofs: [
        "test/models/vendors.test.ts › $provider returns an object of a schema that strict modes reject",
        "server/models/model-settings.test.ts › the LLM_* settings are the default model, LLM_MODELS come after it",
      ],
    },
    {
      id: "16.6",
      text: "Without a model, the built-in planner and extractive answers are used, and `llm_not_configured` names the missing setting; a failing model is `model_failed`.",
      proofs: [
        "test/models/generation.test.ts › without a model the built-in planner makes a workflow, saved as version 1",
        "test/models/model-steps.test.ts › without a model the task fails with llm_not_configured and names the settings",
        "test/models/generation.test.ts › [R26] an unavailable model is 503 model_failed, a refusal is 422, and nothing is saved",
      ],
    },
    {
      id: "16.7",
      text: "`GET /api/models` lists the configured models and never a key.",
      proofs: [
        "test/models/model-steps.test.ts › GET /api/models lists the configured models and never a key",
      ],
    },
    {
      id: "16.8",
      text: "Step results have the model that answered, the tokens and the cost of all attempts, and `details.reason` of a failure; tasks have the sums.",
      proofs: [
        "test/models/model-results.test.ts › runs show the model, tokens and money of every attempt, and the reason of a failure",
        "test/models/model-results.test.ts › the answer names the model that gave it, and counts the tokens of the one that failed",
        "test/models/model-results.test.ts › a %s answer fails with its tokens, its cost and its reason",
      ],
    },
    {
      id: "16.9",
      text: "`llm` steps send `images` of limited size, and remove `<think>` blocks unless `thinking` is `keep`.",
      proofs: [
        "test/models/model-results.test.ts › an llm step sends its images with the prompt, and keeps its reasoning if it is asked to",
        "test/models/model-results.test.ts › a <think> block before the answer is removed, also from objects and streams, unless it is asked for",
        "server/steps/llm-images.test.ts › an image larger than 5 MB is refused, wherever it is",
        "server/steps/llm-images.test.ts › [S6] an image on a private address is refused where steps may not reach it",
      ],
    },
    {
      id: "16.10",
      text: "`POST /api/workflows/import-n8n` → 201 with an unpublished draft and a result for every node; `save: false` stores nothing. Hostile files are 400.",
      proofs: [
        "test/n8n-import.test.ts › a workflow of n8n becomes an unpublished draft that publishes and runs, with a result for every node",
        "test/n8n-import.test.ts › files of any shape are converted or refused with details, never with 500",
      ],
    },
  ],
};
