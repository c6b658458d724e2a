import { expect, test } from "vitest";
import { notFound, unavailable } from "../lib/errors.ts";
import { type AskDocuments, createDocumentQueryRunner } from "./document-query.ts";
import { sampleCall } from "./testing/sample-call.ts";

type Asked = [ownerId: string, question: Parameters<AskDocuments["query"]>[1]];

function recorded(answer: () => Promise<{ answer: string; confidence: string; sources: object[] }>) {
  const asked: Asked[] = [];
  const runner = createDocumentQueryRunner({
    query(...question) {
      asked.push(question);
      return answer();
    },
  });
  return { asked, runner };
}
const answering = () =>
  recorded(() => Promise.resolve({ answer: "9 bar", confidence: "high", sources: [{ page: 2 }] }));

test("the step queries the owner's documents with its fields", async () => {
  const { asked, runner } = answering();
  const call = sampleCall({
    query: "How much?",
    documentIds: ["doc_1"],
    collectionIds: "col_1",
    topK: "7",
    ownerId: "user_b",
  });
  expect(await runner.run(call)).toEqual({
    output: { answer: "9 bar", confidence: "high", sources: [{ page: 2 }] },
  });
  expect(asked).toEqual([
    [
      "user_a",
      {
        query: "How much?",
        documentIds: ["doc_1"],
        collectionIds: ["col_1"],
        topK: 7,
        signal: call.signal,
      },
    ],
  ]);
});

test("[S20] the question contains no secret", async () => {
  const { asked, runner } = answering();
  await runner.run(sampleCall({ query: "Is hunter2 mine?" }, { redact: () => "Is ••• mine?" }));
  expect(asked[0]?.[1].query).toBe("Is ••• mine?");
});

test("empty fields use the defaults", async () => {
  const { asked, runner } = answering();
  const call = sampleCall({ query: "How much?", documentIds: null, topK: "" });
  await runner.run(call);
  expect(asked).toEqual([["user_a", { query: "How much?", signal: call.signal }]]);
});

test.each([
  [{ query: "" }],
  [{ query: null }],
  [{ query: "word ".repeat(10_000) }],
  [{ query: "x", documentIds: [7] }],
  [{ query: "x", collectionIds: [7] }],
  [{ query: "x", documentIds: { id: "doc_1" } }],
  [{ query: "x", topK: 0 }],
  [{ query: "x", topK: 51 }],
  [{ query: "x", topK: "many" }],
])("invalid fields fail permanently without a query: %j", async (fields) => {
  const { asked, runner } = answering();
  await expect(runner.run(sampleCall(fields))).rejects.toMatchObject({
    code: "invalid_field",
    permanent: true,
  });
  expect(asked).toEqual([]);
});

test("a missing document is a permanent failure, an unavailable service may be retried", async () => {
  const missing = recorded(() => Promise.reject(notFound("document")));
  await expect(missing.runner.run(sampleCall({ query: "x" }))).rejects.toMatchObject({
    code: "document_not_found",
    permanent: true,
  });
  const away = recorded(() => Promise.reject(unavailable("Later.")));
  await expect(away.runner.run(sampleCall({ query: "x" }))).rejects.toMatchObject({
    retryable: true,
    details: undefined,
  });
});
