import { expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { textDestinations } from "./text-destinations.ts";

const destinationsOf = (env: Record<string, string>) => textDestinations(readConfig(env));

test("without settings, files and text stay on this machine", () => {
  expect(destinationsOf({})).toEqual({
    files: [],
    embedding: [],
    answers: [],
    answer_model: false,
  });
});

test("every host that receives text is named", () => {
  expect(
    destinationsOf({
      LLM_PROVIDER: "anthropic",
      LLM_API_KEY: "key",
      EMBEDDING_PROVIDER: "openai",
      EMBEDDING_API_KEY: "key",
      EMBEDDING_BASE_URL: "https://embed.example.org/v1",
    }),
  ).toEqual({
    files: [],
    embedding: ["embed.example.org"],
    answers: ["api.anthropic.com"],
    answer_model: true,
  });
});

test("a model on this machine counts as this machine", () => {
  expect(destinationsOf({ LLM_PROVIDER: "ollama" }).answers).toEqual([]);
  expect(
    destinationsOf({ LLM_PROVIDER: "openai-compatible", LLM_MODEL: "m", LLM_BASE_URL: "http://gpu:8000/v1" })
      .answers,
  ).toEqual(["gpu:8000"]);
});
