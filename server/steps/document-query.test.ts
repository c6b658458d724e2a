import { expect, test } from "vitest";
import { notFound, unavailable } from "../lib/errors.ts";
import { type AskDocuments, createDocumentQueryRunner } from "./document-query.ts";
import { sampleCall } from "./testing/sample-call.ts";

type Asked = [ownerId: string, question: Parameters<AskDocuments["query"]>[1]];

function recorded(answer: () => ReturnType<AskDocuments["query"]>) {
  const asked: Asked[] = [];
  const ask: AskDocuments = {
    query(ownerId, question) {
      asked.push([ownerId, question]);
      return answer();
    },
  };
  const runner = createDocumentQueryRunner(ask, { readerOfStep: () => undefined });
  return { asked, runner };
}
const found = { answer: "9 bar", resolvedQuery: "How much?", confidence: "high", sources: [{ page: 2 }] };
const answering = () => recorded(() => Promise.resolve(found));

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
    output: found,
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
  const redact = (value: unknown) => Promise.resolve(value === null ? null : "Is ••• mine?");
  await runner.run(sampleCall({ query: "Is hunter2 mine?" }, { redact }));
  expect(asked[0]?.[1].query).toBe("Is ••• mine?");
});

test("earlier messages of a chat, or turns, are the dialogue, without the question itself and with secrets redacted", async () => {
  const { asked, runner } = answering();
  const say = (role: string, content: string) => ({ role, content });
  const history = [
    say("system", "Be short."),
    say("assistant", "Welcome."),
    say("user", "How much?"),
    say("user", "How much hunter2?"),
    say("assistant", "9 bar"),
    { question: "And in 2023?", answer: "x".repeat(30_000) },
    say("user", "and in 2024?"),
  ];
  const redact = async (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll("hunter2", "•••"));
  await runner.run(sampleCall({ query: "and in 2024?", history }, { redact }));
  expect(asked[0]?.[1].history).toEqual([
    { question: "How much?", answer: "" },
    { question: "How much •••?", answer: "9 bar" },
    { question: "And in 2023?", answer: "x".repeat(20_000) },
  ]);
  const many = Array.from({ length: 50 }, (_, i) => say("user", `${i}`));
  await runner.run(sampleCall({ query: "Why?", history: many }));
  expect(asked[1]?.[1].history?.map(({ question }) => question)).toEqual(
    Array.from({ length: 20 }, (_, i) => `${i + 30}`),
  );
});

test("the text goes to the chat that waits for it while it is written", async () => {
  const texts: string[] = [];
  const ask: AskDocuments = {
    query(_ownerId, _question, stream) {
      for (const text of ["It has ", "9 bar."]) stream?.().onText(text);
      return Promise.resolve(found);
    },
  };
  const runner = createDocumentQueryRunner(ask, { readerOfStep: () => (text) => void texts.push(text) });
  await runner.run(sampleCall({ query: "How much?" }));
  expect(texts).toEqual(["It has ", "9 bar."]);
});

test.each([
  ["at a word", "word ".repeat(10_000), "word ".repeat(800).trimEnd()],
  ["before a word that would be cut", `${"a".repeat(3990)} ${"b".repeat(100)}`, "a".repeat(3990)],
  ["after blanks", `${" ".repeat(5000)}Why?`, "Why?"],
  ["before half a character", "𝔘".repeat(3000), "𝔘".repeat(2000)],
  ["before half a character at an odd place", `a${"𝔘".repeat(3000)}`, `a${"𝔘".repeat(1999)}`],
])("a question that is too long is cut %s", async (_where, query, expected) => {
  const { asked, runner } = answering();
  const history = [
    { role: "user", content: "x".repeat(5000) },
    { role: "user", content: query },
  ];
  await runner.run(sampleCall({ query, history }));
  expect(asked[0]?.[1]).toMatchObject({
    query: expected,
    history: [{ question: "x".repeat(4000), answer: "" }],
  });
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
  [{ query: "x", documentIds: [7] }],
  [{ query: "x", collectionIds: [7] }],
  [{ query: "x", documentIds: { id: "doc_1" } }],
  [{ query: "x", history: "What was the revenue?" }],
  [{ query: "x", history: ["What was the revenue?"] }],
  [{ query: "x", history: [{ role: "user", content: 7 }] }],
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
