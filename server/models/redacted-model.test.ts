import { expect, test } from "vitest";
import { sampleCall } from "../steps/testing/sample-call.ts";
import { createLiveReader } from "../steps/live-reader.ts";
import { createRedactor } from "../security/redact.ts";
import type { GeneratedText, LanguageModel, StreamPart } from "./language-model.ts";
import { redactModel } from "./redacted-model.ts";

const SECRET = "hush-hush-key";
const TEXT = `My key is ${SECRET}, keep it.`;
const SHOWN = "My key is •••, keep it.";

/** A model that streams these pieces, as llm steps, agents and sessions of teams read them. */
function modelOf(parts: readonly StreamPart[]): LanguageModel {
  return {
    provider: "test",
    model: "test",
    async *streamText() {
      yield* parts;
    },
  } as Partial<LanguageModel> as LanguageModel;
}

const delta = (text: string): StreamPart => ({ type: "text-delta", text });
const finish: StreamPart = { type: "finish", ...({ text: TEXT } as GeneratedText) };

test("[S20] the credential of a model is redacted from its stream wherever the stream splits it", async () => {
  for (let at = 0; at <= TEXT.length; at++) {
    const parts = [delta(TEXT.slice(0, at)), delta(TEXT.slice(at)), finish];
    let shown = "";
    for await (const part of redactModel(modelOf(parts), () => [SECRET]).streamText({} as never))
      shown += part.type === "text-delta" ? part.text : "";
    expect(shown).toBe(SHOWN);
  }
});

test("what is held back comes before the next part of the stream", async () => {
  const call: StreamPart = { type: "tool-call", id: "1", name: "look", input: { at: SECRET } };
  const kinds: string[] = [];
  for await (const part of redactModel(modelOf([delta("I say hush"), call, finish]), () => [
    SECRET,
  ]).streamText({} as never))
    kinds.push(part.type === "text-delta" ? part.text : JSON.stringify(part));
  expect(kinds.slice(0, 3)).toEqual(["I say ", "hush", JSON.stringify({ ...call, input: { at: "•••" } })]);
});

test("[S20] secrets of the run are redacted from the live text of a step, and paragraphs stay apart", () => {
  for (let at = 0; at <= TEXT.length; at++) {
    let shown = "";
    const redactStream = () => createRedactor([SECRET]).stream();
    const reader = createLiveReader(sampleCall({}, { redactStream }), (text) => (shown += text))!;
    reader.onPart(delta(TEXT.slice(0, at)));
    reader.onPart(delta(TEXT.slice(at)));
    reader.onPart({ type: "tool-call", id: "1", name: "look", input: {} });
    reader.onPart(delta("And hush"));
    reader.end();
    expect(shown).toBe(`${SHOWN}\n\nAnd hush`);
  }
});
