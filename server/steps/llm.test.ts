import { expect, test } from "vitest";
import { createLanguageModels } from "../models/configured-models.ts";
import { createScriptedModel } from "../models/testing/scripted-model.ts";
import type { LanguageModels } from "../models/language-model.ts";
import { createLiveAnswers } from "../agents/live-answers.ts";
import { noRunFiles } from "../run-files/testing/open-run-files.ts";
import { createFolderStores } from "../storage/files/folder-store.ts";
import { createLlmRunner } from "./llm.ts";
import { sampleCall } from "./testing/sample-call.ts";

/** For steps without images. */
const runnerOf = (models: LanguageModels) =>
  createLlmRunner({
    openModel: ({ ownerId, provider, model }) => Promise.resolve(models.get({ ownerId, provider, model })),
    liveAnswers: createLiveAnswers(),
    egress: { fetch: () => Promise.reject(new Error("no image")) },
    files: createFolderStores("/nowhere"),
    runFiles: noRunFiles,
  });

test("the model's text is the output, stored with the token usage and the model", async () => {
  const models = createScriptedModel(["Four."]);
  const result = await runnerOf(models).run(
    sampleCall({ prompt: "2 + 2?", system: "Be brief.", temperature: 0 }),
  );
  expect(result).toEqual({
    output: "Four.",
    extra: { usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 }, model: "scripted/test" },
  });
  expect(models.requests[0]).toMatchObject({ prompt: "2 + 2?", system: "Be brief.", temperature: 0 });
});

test("[S20] the model reads no secret, wherever a placeholder put it", async () => {
  const models = createScriptedModel(["Done.", { object: {} }]);
  const runner = runnerOf(models);
  const redact: ReturnType<typeof sampleCall>["redact"] = async (value) =>
    JSON.parse(JSON.stringify(value).replaceAll("hunter2-4711", "•••"));
  const fields = { prompt: "The pin is hunter2-4711", system: "Never say hunter2-4711" };
  await runner.run(sampleCall(fields, { redact }));
  await runner.run(sampleCall({ ...fields, schema: { type: "object", title: "hunter2-4711" } }, { redact }));
  expect(models.requests[0]).toMatchObject({ prompt: "The pin is •••", system: "Never say •••" });
  expect(JSON.stringify(models.requests)).not.toContain("hunter2");
});

test("with a schema the output is an object, and invalid output is returned to the model once", async () => {
  const schema = { type: "object", properties: { mood: { enum: ["good", "bad"] } }, required: ["mood"] };
  const models = createScriptedModel([{ object: { mood: "so so" } }, '```json\n{"mood": "good"}\n```']);
  const result = await runnerOf(models).run(sampleCall({ prompt: "How?", schema }));
  expect(result.output).toEqual({ mood: "good" });
  expect(result.extra?.["usage"]).toMatchObject({ totalTokens: 30 });
  expect(models.requests[1]?.messages?.at(-1)?.content).toContain('“mood” must be one of ["good","bad"]');
});

test("[R26] an object that stays invalid is model_failed", async () => {
  const models = createScriptedModel(() => "no JSON at all");
  const running = runnerOf(models).run(sampleCall({ prompt: "?", schema: { type: "object" } }));
  await expect(running).rejects.toMatchObject({
    code: "model_failed",
    details: { reason: "invalid_output" },
  });
  expect(models.requests).toHaveLength(2);
});

test("without a model the error names the missing setting, and the step is not retried", async () => {
  const runner = runnerOf(createLanguageModels([], fetch));
  await expect(runner.run(sampleCall({ prompt: "?" }))).rejects.toMatchObject({
    code: "llm_not_configured",
    message: expect.stringContaining("LLM_PROVIDER"),
    permanent: true,
  });
});

test("the error names a field that a placeholder filled with the wrong type", async () => {
  const runner = runnerOf(createScriptedModel(["x"]));
  const wrong: [Parameters<typeof sampleCall>[0], string][] = [
    [{ prompt: null }, '"prompt"'],
    [{ prompt: "?", temperature: 3 }, '"temperature"'],
    [{ prompt: "?", schema: "text" }, '"schema"'],
    [{ prompt: "?", model: ["a"] }, '"model"'],
  ];
  for (const [fields, name] of wrong)
    await expect(runner.run(sampleCall(fields))).rejects.toMatchObject({
      code: "invalid_field",
      message: expect.stringContaining(name),
    });
});

test("a cancelled step ends the call with the reason of the cancel", async () => {
  const cancel = new AbortController();
  const models = createScriptedModel(() => {
    cancel.abort(new Error("cancelled"));
    return "too late";
  });
  const running = runnerOf(models).run(sampleCall({ prompt: "?" }, { signal: cancel.signal }));
  await expect(running).rejects.toThrow("cancelled");
});
