import type { LanguageModels } from "./language-model.ts";

/** The default model for those who want text for text and no more. */
export function textModel(models: LanguageModels) {
  const [first] = models.list();
  return {
    id: `${first?.provider}/${first?.model}`,
    generateText: async (request: { system: string; prompt: string; signal?: AbortSignal }) =>
      (await models.get().generateText(request)).text,
  };
}
