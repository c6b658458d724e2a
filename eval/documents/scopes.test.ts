import { expect, test } from "vitest";
import { corpus } from "./corpus/corpus.ts";
import { scopeOf } from "./scopes.ts";

test("a scope begins with the document of the question, and a larger one adds to a smaller one", () => {
  const { id } = corpus.documents[0]!;
  const asked = { question: "Can I bring a friend?", document: id };
  const ten = scopeOf(asked, 10);
  expect(new Set(ten).size).toBe(10);
  expect([scopeOf(asked, 1), scopeOf(asked, 3)]).toEqual([[id], ten.slice(0, 3)]);
  expect(new Set(scopeOf(asked, corpus.documents.length)).size).toBe(corpus.documents.length);
  const other = scopeOf({ ...asked, question: "Where do I pay?" }, 10);
  expect(other).not.toEqual(ten);
});
