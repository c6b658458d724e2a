import { expect, test } from "vitest";
import { MAX_ANSWER_CHARACTERS } from "../../../contract/documents.ts";
import { streamClaims } from "./stream-claims.ts";

test("a sentence is passed on once the next one has begun, and the last at the end", async () => {
  const passed: string[] = [];
  async function* pieces() {
    yield "The lid opens left. ";
    yield "[1] It";
    expect(passed).toEqual(["The lid opens left."]);
    yield " weighs 4 kg.";
  }
  expect(await streamClaims(pieces(), ({ text }) => passed.push(text))).toBe(
    "The lid opens left. [1] It weighs 4 kg.",
  );
  expect(passed).toEqual(["The lid opens left.", "It weighs 4 kg."]);
});

test("a model that never ends its answer is no longer read", async () => {
  async function* pieces() {
    for (;;) yield "word ".repeat(1000);
  }
  const text = await streamClaims(pieces(), () => undefined);
  expect(text).toHaveLength(MAX_ANSWER_CHARACTERS);
});
