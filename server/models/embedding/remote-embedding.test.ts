import { expect, test } from "vitest";
import { createEmbeddingModel } from "./create-embedding-model.ts";
import type { Fetch } from "./remote-embedding.ts";

interface Call {
  url: string;
  headers: Headers;
  body: { model: string; input: string[] };
}

/** A fake vendor: responds to each call with the result of `answer` and records the call. */
function vendor(answer: (call: Call) => { status?: number; body: unknown }): { calls: Call[]; fetch: Fetch } {
  const calls: Call[] = [];
  return {
    calls,
    fetch: (url, init) => {
      const call = {
        url,
        headers: new Headers(init.headers),
        body: JSON.parse(String(init.body)) as Call["body"],
      };
      calls.push(call);
      const { status = 200, body } = answer(call);
      return Promise.resolve(
        new Response(typeof body === "string" ? body : JSON.stringify(body), { status }),
      );
    },
  };
}

const openAi = ({ body }: Call) => ({
  body: { data: body.input.map((text, index) => ({ index, embedding: [text.length, 0, 0] })).reverse() },
});

test("OpenAI's vectors are sorted and normalized", async () => {
  const { calls, fetch } = vendor(({ body }) => ({
    body: {
      data: body.input.map((_, index) => ({ index, embedding: index === 0 ? [3, 4] : [0, 2] })).reverse(),
    },
  }));
  const model = await createEmbeddingModel(
    { provider: "openai", apiKey: "sk-test" },
    { modelFolder: "", fetch },
  );
  const [first, second] = await model.embed(["a", "b"]);
  expect(first).toEqual(Float32Array.from([0.6, 0.8]));
  expect(second).toEqual(Float32Array.from([0, 1]));
  expect(model).toMatchObject({ id: "openai:text-embedding-3-small", dimensions: 2 });
  expect(calls[0]?.url).toBe("https://api.openai.com/v1/embeddings");
  expect(calls[0]?.headers.get("authorization")).toBe("Bearer sk-test");
});

test("many texts are sent in batches", async () => {
  const { calls, fetch } = vendor(openAi);
  const model = await createEmbeddingModel(
    { provider: "openai-compatible", model: "bge", baseUrl: "http://models.example/v1/" },
    { modelFolder: "", fetch },
  );
  expect(await model.embed(Array.from({ length: 150 }, (_, i) => "x".repeat(i + 1)))).toHaveLength(150);
  expect(calls.map((call) => call.body.input.length)).toEqual([64, 64, 22]);
  expect(calls[0]?.url).toBe("http://models.example/v1/embeddings");
  expect(calls[0]?.headers.has("authorization")).toBe(false);
});

test("Ollama's own API is used", async () => {
  const { calls, fetch } = vendor(({ body }) => ({ body: { embeddings: body.input.map(() => [1, 0]) } }));
  const model = await createEmbeddingModel({ provider: "ollama" }, { modelFolder: "", fetch });
  expect(await model.embed(["a"])).toEqual([Float32Array.from([1, 0])]);
  expect(calls[0]?.url).toBe("http://127.0.0.1:11434/api/embed");
});

test("failures are retryable or not, and never repeat the vendor's text", async () => {
  for (const [status, retryable] of [
    [429, true],
    [503, true],
    [401, false],
  ] as const) {
    const { fetch } = vendor(() => ({ status, body: "your key sk-test is wrong" }));
    const model = await createEmbeddingModel(
      { provider: "openai", apiKey: "sk-test" },
      { modelFolder: "", fetch },
    );
    const error = await model.embed(["a"]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "embedding_failed", retryable });
    expect(String(error)).not.toContain("sk-test");
  }
});

test("responses of the wrong shape, number or length are rejected", async () => {
  for (const body of [
    "<html>",
    '{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1e999]}]}',
    '{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1e99]}]}',
    {},
    { data: [] },
    {
      data: [
        { index: 0, embedding: [1] },
        { index: 1, embedding: [1, 2] },
      ],
    },
  ]) {
    const { fetch } = vendor(() => ({ body }));
    const model = await createEmbeddingModel({ provider: "openai", apiKey: "k" }, { modelFolder: "", fetch });
    await expect(model.embed(["a", "b"])).rejects.toMatchObject({ code: "embedding_failed" });
  }
});

test("an incomplete provider names the missing setting", async () => {
  const deps = { modelFolder: "", fetch: vendor(openAi).fetch };
  await expect(createEmbeddingModel({ provider: "openai" }, deps)).rejects.toThrow("EMBEDDING_API_KEY");
  await expect(createEmbeddingModel({ provider: "openai-compatible", model: "m" }, deps)).rejects.toThrow(
    "EMBEDDING_BASE_URL",
  );
  await expect(createEmbeddingModel({ provider: "onnx-folder" }, deps)).rejects.toThrow("EMBEDDING_MODEL");
});

test("an answer of more than 16 MB is refused", async () => {
  const { fetch } = vendor((call) => ({ body: { ...openAi(call).body, padding: "x".repeat(17_000_000) } }));
  const model = await createEmbeddingModel(
    { provider: "openai-compatible", model: "bge", baseUrl: "http://models.example/v1/" },
    { modelFolder: "", fetch },
  );
  await expect(model.embed(["a"])).rejects.toMatchObject({
    code: "embedding_failed",
    message: expect.stringContaining("16777216 bytes"),
  });
});
