import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { wordVectors } from "../../server/documents/testing/word-vectors.ts";

export interface WordEmbeddings {
  /** The settings that select it. */
  settings: Record<string, string>;
  /** All texts it has received. */
  texts: string[];
  /** Runs before each response, with the texts of the request. */
  beforeAnswer: (texts: readonly string[]) => Promise<void>;
  /** Responds with this status instead of vectors. */
  status: number;
  close(): Promise<void>;
}

/** An OpenAI-compatible embedding service, for tests that are not about the quality of a model. */
export async function startWordEmbeddings(model = "words"): Promise<WordEmbeddings> {
  const server = createServer((request, response) => {
    void (async () => {
      let text = "";
      for await (const chunk of request) text += String(chunk);
      const { input } = JSON.parse(text) as { input: string[] };
      service.texts.push(...input);
      await service.beforeAnswer(input);
      const vectors = await wordVectors.embed(input);
      const data = vectors.map((vector, index) => ({ index, embedding: [...vector] }));
      response.writeHead(service.status, { "content-type": "application/json" });
      response.end(JSON.stringify({ data }));
    })();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const service: WordEmbeddings = {
    settings: {
      EMBEDDING_PROVIDER: "openai-compatible",
      EMBEDDING_MODEL: model,
      EMBEDDING_BASE_URL: `http://127.0.0.1:${port}/v1`,
    },
    texts: [],
    beforeAnswer: () => Promise.resolve(),
    status: 200,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return service;
}

/** One embedding service for all tests of a file. */
export async function shareWordEmbeddings(): Promise<WordEmbeddings> {
  const service = await startWordEmbeddings();
  afterAll(() => service.close());
  return service;
}
