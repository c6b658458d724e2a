import type { LanguageModels } from "./language-model.ts";

/** The default model as a function from text to text. */
export function textModel(models: LanguageModels) {
  const [first] = models.list();
  return {
    id: `${first?.provider}/${first?.model}`,
    generateText: async (request: { system: string; prompt: string; signal?: AbortSignal }) =>
      (await models.get().generateText(request)).text,
  };
}
