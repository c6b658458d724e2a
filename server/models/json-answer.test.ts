import { expect, test } from "vitest";
import { readJsonAnswer } from "./json-answer.ts";

test("JSON is found alone, in a code fence and after a sentence", async () => {
  for (const text of [
    '{"a": 1}',
    ' \n{"a": 1}\n',
    '```json\n{"a": 1}\n```',
    'Here it is:\n```\n{"a": 1}\n```\nEnjoy!',
    'Sure: {"a": 1}. Done.',
  ])
    expect(await readJsonAnswer(text)).toEqual({ a: 1 });
});

test("text that is not JSON, or nested too deep, gives undefined", async () => {
  for (const text of ["", "no", "{", '{"a": }', "[".repeat(500) + "]".repeat(500)])
    expect(await readJsonAnswer(text)).toBeUndefined();
});

test.each([
  ["small", "{}"],
  ["large", `[${"1,".repeat(30_000)}1]`],
])("a __proto__ key of a %s value is dropped", async (_name, value) => {
  const answer = await readJsonAnswer(`{"__proto__": ${value}, "a": {"__proto__": 1}}`);
  expect(JSON.stringify(answer)).toBe('{"a":{}}');
});

test("the code block of JSON is preferred, and one without an end is ignored", async () => {
  expect(await readJsonAnswer('```text\nhello\n```\n```json\n{"a": 1}\n```')).toEqual({ a: 1 });
  expect(await readJsonAnswer(`\`\`\`${"\n".repeat(1_000_000)}`)).toBeUndefined();
});
