import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import type { LiveAnswers } from "../agents/live-answers.ts";
import { readStream } from "../agents/run-agent.ts";
import type { OpenModel } from "../connections/open-model.ts";
import type { StepRunner } from "../engine/run/step-runner.ts";
import { type GeneratedText, spentFields } from "../models/language-model.ts";
import { createLiveReader } from "./live-reader.ts";
import { type ImageSources, loadImages } from "./llm-images.ts";
import { describeValue, invalidField, requiredText } from "./step-failure.ts";

export interface LlmRunnerDeps extends ImageSources {
  openModel: OpenModel;
  liveAnswers: Pick<LiveAnswers, "readerOfStep">;
}

type Fields = Readonly<Record<string, JsonValue>>;

/** Calls a language model. With a schema the output is an object that matches it. */
export function createLlmRunner({ openModel, liveAnswers, ...sources }: LlmRunnerDeps): StepRunner {
  return {
    async run(call) {
      const { ownerId, fields: given, redact, signal } = call;
      // The prompt leaves this machine and the output is stored, so secrets are redacted first.
      const fields = (await redact({ ...given })) as Fields;
      const model = await openModel({
        ownerId,
        provider: optionalText(fields, "provider"),
        model: optionalText(fields, "model"),
        connection: optionalText(fields, "connection"),
        baseUrl: optionalText(fields, "baseUrl"),
      });
      const request = {
        prompt: requiredText(fields, "prompt"),
        system: optionalText(fields, "system"),
        temperature: temperatureOf(fields),
        keepsThinking: optionalText(fields, "thinking") === "keep",
        // Not redacted: the address of an image may contain a secret, and the model receives the bytes only.
        images: await loadImages(given["images"], ownerId, sources, signal),
        signal,
      };
      const schema = schemaOf(fields);
      if (schema === undefined) {
        const live = createLiveReader(call, liveAnswers.readerOfStep(call));
        const { text, ...answer } = await (live === undefined
          ? model.generateText(request)
          : readStream(model.streamText(request), live.onPart));
        live?.end();
        return { output: text, extra: extraOf(answer) };
      }
      const { object, ...answer } = await model.generateObject({ ...request, schema });
      return { output: object, extra: extraOf(answer) };
    },
  };
}

function extraOf({ usage, answeredBy }: Pick<GeneratedText, "usage" | "answeredBy">) {
  return { ...spentFields(usage), model: answeredBy };
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
