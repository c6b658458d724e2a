import { expect, test } from "vitest";
import { readConfig } from "../config.ts";

test("the LLM_* settings are the default model, LLM_MODELS come after it", () => {
  const { models } = readConfig({
    LLM_PROVIDER: "openai",
    LLM_MODEL: "gpt-x",
    LLM_API_KEY: "sk-1",
    LLM_MODELS: '[{"provider": "ollama", "model": "llama3.2", "fallback": true}]',
  }).llm;
  expect(models).toMatchObject([
    { provider: "openai", model: "gpt-x", apiKey: "sk-1" },
    { provider: "ollama", model: "llama3.2", fallback: true },
  ]);
  expect(readConfig({}).llm.models).toEqual([]);
  expect(readConfig({ LLM_MODELS: '[{"provider": "ollama"}]' }).llm.models).toHaveLength(1);
});

test("an invalid LLM_MODELS is reported at start without its values, which may be keys", () => {
  const wrong = [
    "nonsense sk-secret",
    '{"apiKey": "sk-secret"}',
    '[{"provider": "skynet", "apiKey": "sk-secret"}]',
    '[{"provider": "openai", "apikey": "sk-secret"}]',
    '[{"provider": "openai", "baseUrl": "ftp://sk-secret"}]',
  ];
  for (const text of wrong) {
    const read = () => readConfig({ LLM_MODELS: text });
    expect(read).toThrow(/LLM_MODELS: /);
    expect(read).not.toThrow(/sk-secret/);
  }
});
