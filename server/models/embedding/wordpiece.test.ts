import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LOCAL_TOKENIZER_FILE } from "./local-model-file.ts";
import { createWordPiece } from "./wordpiece.ts";
import { loadWordPiece } from "./tokenizer-file.ts";

const vocabulary = new Map(
  ["[UNK]", "[CLS]", "[SEP]", "pump", "##s", "run", "##ning", ",", "cafe"].map((token, id) => [token, id]),
);

test("words become their longest known pieces between [CLS] and [SEP]", () => {
  const { encode, count } = createWordPiece(vocabulary);
  expect(encode("Pumps, running", 20)).toEqual([1, 3, 4, 7, 5, 6, 2]);
  expect(count("Pumps, running")).toBe(5);
});

test("accents are removed, and unknown or very long words are one unknown token", () => {
  const { encode } = createWordPiece(vocabulary);
  expect(encode("café", 9)).toEqual([1, 8, 2]);
  expect(encode(`xyz ${"pump".repeat(40)}`, 9)).toEqual([1, 0, 0, 2]);
});

test("a long text is truncated so that [SEP] still fits", () => {
  const { encode } = createWordPiece(vocabulary);
  expect(encode("pumps ".repeat(50), 6)).toEqual([1, 3, 4, 3, 4, 2]);
});

test("the packaged vocabulary gives the ids of the published model", async () => {
  const { encode } = await loadWordPiece(LOCAL_TOKENIZER_FILE);
  expect(encode("Hello, world! Tokenization works.", 32)).toEqual([
    101, 7592, 1010, 2088, 999, 19204, 3989, 2573, 1012, 102,
  ]);
});

test("the error names a file that is not a tokenizer", async () => {
  await expect(loadWordPiece(import.meta.filename)).rejects.toMatchObject({
    code: "embedding_not_configured",
  });
});

async function fileWith(pieces: Record<string, unknown>): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), "baton-vocabulary-")), "tokenizer.json");
  onTestFinished(() => rm(dirname(file), { recursive: true }));
  const vocab = { "[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "[PAD]": 3, ...pieces };
  await writeFile(file, JSON.stringify({ model: { vocab } }));
  return file;
}

test.each(["1", 1.5, null])("a vocabulary with the id %j is refused", async (id) => {
  await expect(loadWordPiece(await fileWith({ a: id }))).rejects.toMatchObject({
    code: "embedding_not_configured",
  });
});

test("the name of a property of every object is an unknown word", async () => {
  const { encode } = await loadWordPiece(await fileWith({ pump: 4 }));
  expect(encode("constructor pump", 8)).toEqual([1, 0, 4, 2]);
});

test("words in other scripts have the length that a vocabulary for them would give", async () => {
  const { count } = await loadWordPiece(LOCAL_TOKENIZER_FILE);
  // The packaged vocabulary spells Russian letter by letter and does not know Thai words at all.
  expect(count("Договор аренды заключён")).toBe(3 + 2 + 3);
  expect(count("สัญญาเช่าบ้าน")).toBeGreaterThan(2);
  expect(count("契約書")).toBe(3);
});
