import { anyText, number, object, text } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export const llmStep = defineStepType({
  type: "llm",
  title: "Ask a language model",
  description: "Sends a prompt to a language model and hands on its answer, as text or as an object.",
  category: "ai",
  fields: {
    prompt: text("What to ask the model."),
    system: anyText("Who the model is and how it should answer.").optional(),
    provider: anyText("Whose model to use; the configured one when left out.").optional(),
    model: anyText("Which model to use; the configured one when left out.").optional(),
    temperature: number("How freely the model writes: 0 is strict, 2 is wild.", {
      min: 0,
      max: 2,
    }).optional(),
    schema: object(
      "A JSON Schema. With it the answer is an object of that shape instead of text.",
    ).optional(),
  },
  example: {
    stepId: "summarise",
    type: "llm",
    prompt: "Summarise in three sentences:\n\n{{input.text}}",
  },
});
