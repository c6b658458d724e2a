import { expect, test } from "vitest";
import { createLanguageModels } from "../../server/models/configured-models.ts";
import type { Provider } from "../../server/models/vendors.ts";

interface Vendor {
  provider: Provider;
  host: string;
  keyHeader: string;
  answer: (text: string) => unknown;
  refusal: unknown;
}

const openAiAnswer = (message: object, finish_reason = "stop") => ({
  id: "1",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});
const anthropicAnswer = (content: object[], stop_reason: string) => ({
  type: "message",
  id: "1",
  role: "assistant",
  model: "m",
  content,
  stop_reason,
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2 },
});
const googleAnswer = (candidate: object) => ({
  candidates: [candidate],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
});

/** The response format and the key header of each vendor. */
const vendors: Vendor[] = [
  {
    provider: "openai",
    host: "api.openai.com",
    keyHeader: "authorization",
    answer: (content) => openAiAnswer({ content }),
    refusal: openAiAnswer({ content: null, refusal: "I will not." }),
  },
  {
    provider: "anthropic",
    host: "api.anthropic.com",
    keyHeader: "x-api-key",
    answer: (text) => anthropicAnswer([{ type: "text", text }], "end_turn"),
    refusal: anthropicAnswer([{ type: "text", text: "No." }], "refusal"),
  },
  {
    provider: "google",
    host: "generativelanguage.googleapis.com",
    keyHeader: "x-goog-api-key",
    answer: (text) => googleAnswer({ content: { role: "model", parts: [{ text }] }, finishReason: "STOP" }),
    refusal: googleAnswer({ content: { role: "model", parts: [{ text: "No." }] }, finishReason: "SAFETY" }),
  },
];

function modelOf({ provider }: Vendor, ...answers: unknown[]) {
  const calls: { url: URL; headers: Headers; body: Record<string, unknown> }[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const body = JSON.parse(String(init?.body)) as Record<string, unknown>;
    calls.push({ url: new URL(String(input)), headers: new Headers(init?.headers), body });
    return Response.json(answers[Math.min(calls.length, answers.length) - 1]);
  };
  return { model: createLanguageModels([{ provider, apiKey: "sk-vendor-key" }], fetch).get(), calls };
}

test.each(vendors)(
  "$provider gives text, with its key in its own header and nowhere else",
  async (vendor) => {
    const { model, calls } = modelOf(vendor, vendor.answer("Hello."));
    expect(await model.generateText({ system: "Be kind.", prompt: "Hi" })).toMatchObject({
      text: "Hello.",
      usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
    });
    expect(calls).toHaveLength(1);
    expect(calls[0]?.url.host).toBe(vendor.host);
    expect(calls[0]?.headers.get(vendor.keyHeader)).toContain("sk-vendor-key");
    expect(JSON.stringify([calls[0]?.url, calls[0]?.body])).not.toContain("sk-vendor-key");
    expect(JSON.stringify(calls[0]?.body)).toContain("Be kind.");
  },
);

test.each(vendors)("$provider returns an object of a schema that strict modes reject", async (vendor) => {
  const schema = { type: "object", properties: { tags: { type: "array" } }, required: ["tags"] };
  const { model, calls } = modelOf(vendor, vendor.answer('{"tags": ["a"], "more": 1}'));
  expect((await model.generateObject({ prompt: "?", schema })).object).toEqual({ tags: ["a"], more: 1 });
  expect(JSON.stringify(calls[0]?.body)).not.toContain('"strict":true');
});

test("anthropic's object is the input of a tool of that name", async () => {
  const [, anthropic] = vendors;
  if (anthropic === undefined) throw new Error("no vendor");
  const use = { type: "tool_use", id: "t", name: "json", input: { tags: [] } };
  const { model } = modelOf(anthropic, anthropicAnswer([use], "tool_use"));
  const schema = { type: "object", required: ["tags"] };
  expect((await model.generateObject({ prompt: "?", schema })).object).toEqual({ tags: [] });
});

test.each(vendors)("[R26] a refusal of $provider is a permanent model_failed", async (vendor) => {
  const { model } = modelOf(vendor, vendor.refusal);
  await expect(model.generateText({ prompt: "?" })).rejects.toMatchObject({
    code: "model_failed",
    retryable: false,
    details: { reason: "refused" },
  });
});
