import { expect, test } from "vitest";
import { createLogHeads } from "./log-heads.ts";
import type { MessageHead } from "../session-record.ts";

function growing(most?: number) {
  const lengths = new Map<string, number>();
  const asked: string[] = [];
  const heads = createLogHeads((sessionId, after) => {
    asked.push(`${sessionId} ${after}`);
    const length = lengths.get(sessionId) ?? 0;
    return Promise.resolve(
      Array.from({ length: length - after }, (_, index) => ({ seq: after + index + 1 }) as MessageHead),
    );
  }, most);
  const seqs = async (sessionId: string): Promise<number[]> => (await heads(sessionId)).map(({ seq }) => seq);
  return { lengths, asked, seqs };
}

test("only new entries are read", async () => {
  const { lengths, asked, seqs } = growing();
  lengths.set("a", 2);
  expect(await seqs("a")).toEqual([1, 2]);
  lengths.set("a", 3);
  expect(await seqs("a")).toEqual([1, 2, 3]);
  expect(await seqs("a")).toEqual([1, 2, 3]);
  expect(asked).toEqual(["a 0", "a 2", "a 3"]);
});

test("two concurrent reads return each entry once", async () => {
  const { lengths, seqs } = growing();
  lengths.set("a", 2);
  await seqs("a");
  lengths.set("a", 5);
  expect(await Promise.all([seqs("a"), seqs("a")])).toEqual([
    [1, 2, 3, 4, 5],
    [1, 2, 3, 4, 5],
  ]);
});

test("the least recently used log is evicted when the cache is full, and read again", async () => {
  const { lengths, asked, seqs } = growing(5);
  for (const id of ["a", "b", "c"]) lengths.set(id, 2);
  await seqs("a");
  await seqs("b");
  await seqs("a");
  await seqs("c");
  asked.length = 0;
  expect(await seqs("a")).toEqual([1, 2]);
  expect(await seqs("b")).toEqual([1, 2]);
  expect(asked).toEqual(["a 2", "b 0"]);
});
