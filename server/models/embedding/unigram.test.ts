import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LOCAL_TOKENIZER_FILE } from "./local-model-file.ts";
import { shareInScripts } from "./known-scripts.ts";
import { loadTokenizer } from "./tokenizer-file.ts";
import { createUnigram } from "./unigram.ts";

const vocabulary: [string, number][] = [
  ["<s>", 0],
  ["<pad>", 0],
  ["</s>", 0],
  ["<unk>", 0],
  ["▁", -3],
  ["▁pump", -5],
  ["s", -3],
  ["▁pum", -4.5],
  ["ps", -4],
  ["東京", -6],
  ["東", -5],
  ["京", -5],
];

test("the cut with the highest total score wins", () => {
  const { encode } = createUnigram(vocabulary);
  // ▁pump + s scores -8, ▁pum + ps -8.5.
  expect(encode("pumps", 20)).toEqual([0, 5, 6, 2]);
  expect(encode("東京", 20)).toEqual([0, 4, 9, 2]);
});

test("unknown characters side by side are one token, and a long text is truncated", () => {
  const { encode } = createUnigram(vocabulary);
  expect(encode("xyz pump", 20)).toEqual([0, 4, 3, 5, 2]);
  expect(encode("pumps ".repeat(50), 6)).toEqual([0, 5, 6, 5, 6, 2]);
  expect(encode("東京".repeat(5000), 256)).toHaveLength(256);
});

test("a tokenizer.json of the Unigram kind is read, and others are refused by name", async () => {
  const folder = await mkdtemp(join(tmpdir(), "baton-tokenizer-"));
  const path = join(folder, "tokenizer.json");
  try {
    await writeFile(path, JSON.stringify({ model: { type: "Unigram", unk_id: 3, vocab: vocabulary } }));
    const { tokenizer } = await loadTokenizer(path);
    expect(tokenizer.encode("ｐｕｍｐｓ", 20)).toEqual([0, 5, 6, 2]);
    await writeFile(path, JSON.stringify({ model: { type: "BPE", vocab: { a: 1 }, merges: [] } }));
    await expect(loadTokenizer(path)).rejects.toMatchObject({
      code: "embedding_not_configured",
      message: expect.stringContaining("WordPiece or Unigram"),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the packaged model knows Latin letters only", async () => {
  const { scripts } = await loadTokenizer(LOCAL_TOKENIZER_FILE);
  expect(scripts).toEqual(["Latin"]);
  expect(shareInScripts("Where is the pump?", scripts)).toBe(1);
  expect(shareInScripts("東京はどこですか", scripts)).toBe(0);
  expect(shareInScripts("Что такое pump?", scripts)).toBeCloseTo(4 / 12);
  expect(shareInScripts("2024", scripts)).toBe(1);
});
