import type { ConnectionKind } from "../../contract/connections.ts";
import type { FormValues } from "./connection-form.ts";

/** Language models that people look for by their names: the kind of their connection and what its form begins with. */
export interface ModelService {
  id: string;
  title: string;
  text: string;
  synonyms: readonly string[];
  kind: ConnectionKind;
  values: FormValues;
  hosts: string;
}

export const modelServices: readonly ModelService[] = [
  {
    id: "openai",
    title: "OpenAI",
    text: "Models of your OpenAI account",
    synonyms: ["gpt", "chatgpt", "language model", "llm"],
    kind: "bearer",
    values: { testUrl: "https://api.openai.com/v1/models" },
    hosts: "api.openai.com",
  },
  {
    id: "anthropic",
    title: "Anthropic",
    text: "Models of your Anthropic account",
    synonyms: ["claude", "language model", "llm"],
    kind: "api_key",
    values: { in: "header", name: "x-api-key" },
    hosts: "api.anthropic.com",
  },
  {
    id: "google",
    title: "Google Gemini",
    text: "Models of your Google AI account",
    synonyms: ["language model", "llm"],
    kind: "api_key",
    values: {
      in: "header",
      name: "x-goog-api-key",
      testUrl: "https://generativelanguage.googleapis.com/v1beta/models",
    },
    hosts: "generativelanguage.googleapis.com",
  },
  {
    id: "openai-compatible",
    title: "OpenAI-compatible server",
    text: "Ollama, vLLM or a server of your own",
    synonyms: ["language model", "llm", "llama", "local model"],
    kind: "bearer",
    values: {},
    hosts: "",
  },
];

/** The provider whose API a connection with these hosts calls. */
export function providerOf(hosts: readonly string[]): string {
  return modelServices.find((service) => hosts.includes(service.hosts))?.id ?? "openai-compatible";
}

export function providerTitle(id: string): string {
  return id === "ollama" ? "Ollama" : (modelServices.find((service) => service.id === id)?.title ?? id);
}
