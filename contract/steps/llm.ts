import { inWords } from "./common.ts";
import { anyText, anyValue, choice, connection, number, object, text, url } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export const llmStep = defineStepType({
  type: "llm",
  title: "Ask a language model",
  description: "Sends a prompt to a language model and returns its response, as text or as an object.",
  category: "ai",
  synonyms: [
    "gpt",
    "ai",
    "openai",
    "claude",
    "anthropic",
    "gemini",
    "prompt",
    "chat",
    "summarize",
    "classify",
    "extract",
    "generate",
  ],
  fields: {
    prompt: text("The prompt for the model."),
    system: anyText("The system prompt: the role of the model and how it should respond.").optional(),
    provider: anyText("The provider of the model; the default one when empty.").optional(),
    model: anyText("The model; the default one when empty.").optional(),
    connection: connection(
      "One of your connections, by id: the model is called with your account at the provider, in place of that of this instance. Needs a provider.",
    ).optional(),
    baseUrl: url(
      "The address of the model server, such as https://llm.example.com/v1; by default that of the provider. Only with a connection.",
    ).optional(),
    temperature: number("Randomness of the response, from 0 (deterministic) to 2.", {
      min: 0,
      max: 2,
    }).optional(),
    images: anyValue(
      "Images for the model: a URL, a data URL, the path of one of your files, a file of an earlier step, or the output of a step that read one; or a list of them.",
    ).optional(),
    thinking: choice(
      "Whether the response keeps the reasoning in <think> that some models write before it; strip by default.",
      ["strip", "keep"],
    ).optional(),
    schema: object(
      "A JSON Schema. With it the response is an object of that shape instead of text.",
    ).optional(),
  },
  check: ({ connection: id, provider, baseUrl }) => [
    ...(id !== undefined && (provider === undefined || provider === "")
      ? [{ code: "missing_field" as const, field: "provider", message: "is required with a connection" }]
      : []),
    // The key of this instance must not be sent to an address of a workflow.
    ...(id === undefined && baseUrl !== undefined && baseUrl !== ""
      ? [{ code: "invalid_field" as const, field: "baseUrl", message: "needs a connection" }]
      : []),
  ],
  shortTitle: "AI",
  summary: ({ model, prompt }) => inWords(model) || inWords(prompt),
  form: {
    prompt: { label: "Prompt", control: "long", example: "Summarize this text: type @ for a value" },
    system: { label: "Instructions", control: "long", example: "You are a careful editor." },
    provider: { label: "Provider" },
    model: { label: "Model" },
    connection: { label: "Connection" },
    baseUrl: {
      label: "Server address",
      example: "https://llm.example.com/v1",
      applies: ({ connection: id }) => id !== undefined,
    },
    temperature: { label: "Temperature", example: "0.7" },
    images: { label: "Images" },
    thinking: { label: "Reasoning", words: { strip: "Leave it out", keep: "Keep it in the answer" } },
    schema: { label: "Answer schema", control: "long", example: '{ "type": "object" }' },
  },
  example: {
    stepId: "summarise",
    type: "llm",
    prompt: "Summarise in three sentences:\n\n{{input.text}}",
  },
});
