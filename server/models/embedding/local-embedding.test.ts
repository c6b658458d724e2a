import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { LOCAL_MODEL_ID, sha256 } from "./local-model.ts";
import { ensureLocalModel } from "./local-model-file.ts";
import { createFolderEmbedding, createLocalEmbedding } from "./onnx-embedding.ts";

let modelFolder: string;

beforeAll(async () => {
  modelFolder = await mkdtemp(join(tmpdir(), "baton-model-"));
});
afterAll(() => rm(modelFolder, { recursive: true }));

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

/** Open message ports, one per worker thread. */
function runningWorkers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === "MessagePort").length;
}

test("similar texts have a higher cosine than different ones, and vectors have length one", async () => {
  const model = createLocalEmbedding({ modelFolder, workers: 2 });
  try {
    const [question, answer, other] = (await model.embed([
      "How do I reset the pump?",
      "Resetting the pump requires pressing the red button.",
      "A recipe for banana bread",
    ])) as [Float32Array, Float32Array, Float32Array];
    expect(question).toHaveLength(384);
    expect(dot(question, question)).toBeCloseTo(1, 4);
    expect(dot(question, answer)).toBeGreaterThan(0.6);
    expect(dot(question, other)).toBeLessThan(0.2);
  } finally {
    await model.close();
  }
});

test("the order of the texts is kept, also when a question is interleaved", async () => {
  const model = createLocalEmbedding({ modelFolder, workers: 2 });
  try {
    const texts = Array.from(
      { length: 12 },
      (_, i) => `Text number ${i} about ${["rain", "bread", "law"][i % 3]}`,
    );
    const [many, [single]] = await Promise.all([model.embed(texts), model.embed([texts[7] ?? ""])]);
    expect(dot(many[7]!, single!)).toBeCloseTo(1, 4);
    expect(await model.embed([])).toEqual([]);
  } finally {
    await model.close();
  }
});

test("idle workers are stopped and restarted when they are needed", async () => {
  const model = createLocalEmbedding({ modelFolder, workers: 1, idleMs: 1 });
  try {
    const [first] = await model.embed(["The same text"]);
    await vi.waitFor(() => expect(runningWorkers()).toBe(0), { timeout: 10_000 });
    const [again] = await model.embed(["The same text"]);
    expect(again).toEqual(first);
  } finally {
    await model.close();
  }
});

test("an aborted job ends, and the others are served", async () => {
  const model = createLocalEmbedding({ modelFolder, workers: 1 });
  try {
    const caller = new AbortController();
    const leaving = model.embed(["one", "two", "three"], caller.signal);
    const staying = model.embed(["four"]);
    caller.abort(new Error("left"));
    await expect(leaving).rejects.toThrow("left");
    expect(await staying).toHaveLength(1);
  } finally {
    await model.close();
  }
  await expect(model.embed(["late"])).rejects.toMatchObject({ code: "embedding_failed" });
});

test("a damaged model file is built again, and no partial file remains", async () => {
  const path = await ensureLocalModel(modelFolder);
  const whole = sha256(await readFile(path));
  await writeFile(path, "half a model");
  await ensureLocalModel(modelFolder);
  expect(sha256(await readFile(path))).toBe(whole);
  expect(await readdir(modelFolder)).toEqual([`${LOCAL_MODEL_ID}.onnx`]);
});

test("a configured folder with a model and a tokenizer is used, with its own model id", async () => {
  const folder = await mkdtemp(join(tmpdir(), "baton-own-model-"));
  const { LOCAL_TOKENIZER_FILE } = await import("./local-model-file.ts");
  await writeFile(join(folder, "model.onnx"), await readFile(await ensureLocalModel(modelFolder)));
  await writeFile(join(folder, "tokenizer.json"), await readFile(LOCAL_TOKENIZER_FILE));
  const model = await createFolderEmbedding(folder, { modelFolder, workers: 1 });
  try {
    expect(model.dimensions).toBeUndefined();
    expect((await model.embed(["text"]))[0]).toHaveLength(384);
    expect(model.dimensions).toBe(384);
    expect(model.id).toMatch(/^onnx:baton-own-model-.*:[0-9a-f]{12}$/);
  } finally {
    await model.close();
    await rm(folder, { recursive: true });
  }
});

test("a folder with a Unigram tokenizer is used, and the scripts of its vocabulary are known", async () => {
  const folder = await mkdtemp(join(tmpdir(), "baton-own-model-"));
  await writeFile(join(folder, "model.onnx"), await readFile(await ensureLocalModel(modelFolder)));
  const cyrillic = Array.from({ length: 1000 }, (_, i) => [
    `▁${String.fromCharCode(0x430 + (i % 32))}${i}`,
    -9,
  ]);
  const vocab = [["<s>", 0], ["<pad>", 0], ["</s>", 0], ["<unk>", 0], ["▁насос", -5], ...cyrillic];
  await writeFile(join(folder, "tokenizer.json"), JSON.stringify({ model: { type: "Unigram", vocab } }));
  const model = await createFolderEmbedding(folder, { modelFolder, workers: 1 });
  try {
    expect((await model.embed(["Где насос?"]))[0]).toHaveLength(384);
    expect(model.knownScriptShare?.("Где насос?")).toBe(1);
    expect(model.knownScriptShare?.("Where is it?")).toBe(0);
  } finally {
    await model.close();
    await rm(folder, { recursive: true });
  }
});

test("a model that cannot be loaded fails with its reason", async () => {
  const folder = await mkdtemp(join(tmpdir(), "baton-bad-model-"));
  await writeFile(join(folder, "model.onnx"), "no model");
  const model = await createFolderEmbedding(folder, { modelFolder, workers: 1 });
  await expect(model.embed(["text"])).rejects.toMatchObject({ code: "embedding_failed" });
  await model.close();
  await rm(folder, { recursive: true });
  await expect(createFolderEmbedding(folder, { modelFolder })).rejects.toMatchObject({
    code: "embedding_not_configured",
  });
});
