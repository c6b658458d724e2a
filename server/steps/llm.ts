import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import type { StepRunner } from "../engine/run/step-runner.ts";
import type { LanguageModels, TokenUsage } from "../models/language-model.ts";
import { describeValue, invalidField, requiredText } from "./step-failure.ts";

type Fields = Readonly<Record<string, JsonValue>>;

/** Calls a language model. With a schema the output is an object that matches it. */
export function createLlmRunner({ models }: { models: LanguageModels }): StepRunner {
  return {
    async run({ ownerId, fields: given, redact, signal }) {
      // The prompt leaves this machine and the output is stored, so secrets are redacted first.
      const fields = redact({ ...given }) as Fields;
      const model = models.get({
        ownerId,
        provider: optionalText(fields, "provider"),
        model: optionalText(fields, "model"),
      });
      const request = {
        prompt: requiredText(fields, "prompt"),
        system: optionalText(fields, "system"),
        temperature: temperatureOf(fields),
        signal,
      };
      const schema = schemaOf(fields);
      if (schema === undefined) {
        const { text, usage } = await model.generateText(request);
        return { output: text, extra: extraOf(model, usage) };
      }
      const { object, usage } = await model.generateObject({ ...request, schema });
      return { output: object, extra: extraOf(model, usage) };
    },
  };
}

function extraOf({ provider, model }: { provider: string; model: string }, usage: TokenUsage) {
  return { usage: { ...usage }, model: `${provider}/${model}` };
}

function optionalText(fields: Fields, field: string): string | undefined {
  const value = fields[field];
  if (value === undefined || value === null || value === "") return undefined;
  return requiredText(fields, field);
}

function temperatureOf({ temperature }: Fields): number | undefined {
  if (temperature === undefined || temperature === null || temperature === "") return undefined;
  const number = typeof temperature === "string" ? Number(temperature) : temperature;
  if (typeof number !== "number" || !(number >= 0 && number <= 2))
    throw invalidField("temperature", `must be a number from 0 to 2, not ${describeValue(temperature)}`);
  return number;
}

function schemaOf({ schema }: Fields): Record<string, unknown> | undefined {
  if (schema === undefined || schema === null) return undefined;
  if (!isRecord(schema)) throw invalidField("schema", `must be an object, not ${describeValue(schema)}`);
  return schema;
}
