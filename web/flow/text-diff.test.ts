import { expect, test } from "vitest";
import { diffLines, diffSequences, diffWords, withoutTimesAndIds } from "./text-diff.ts";

const plain = (text: string): string => text;

test("the parts of a diff rebuild both texts", () => {
  let seed = 7;
  const random = (most: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % most;
  };
  for (let round = 0; round < 200; round += 1) {
    const [a, b] = [0, 1].map(() => Array.from({ length: random(12) }, () => "abc"[random(3)] ?? "a"));
    const parts = diffSequences(a ?? [], b ?? [], plain);
    const side = (kind: string) =>
      parts.flatMap((part) => (part.kind === kind || part.kind === "same" ? part.items : []));
    expect(side("removed")).toEqual(a);
    expect(side("added")).toEqual(b);
  }
});

test("changed lines stand side by side, and added ones have an empty left side", () => {
  const rows = diffLines(
    '{\n "grade": "A",\n "ok": true\n}',
    '{\n "grade": "B",\n "photos": [],\n "ok": true\n}',
    plain,
  );
  expect(rows.map(({ kind, left, right }) => [kind, left?.number, right?.number])).toEqual([
    ["same", 1, 1],
    ["changed", 2, 2],
    ["changed", undefined, 3],
    ["same", 3, 4],
    ["same", 4, 5],
  ]);
  expect(diffLines("", "a", plain)).toMatchObject([{ left: undefined, right: { text: "a" } }]);
});

test("texts are compared by words", () => {
  const parts = diffWords("The lamp is undamaged.", "The lamp is cracked at the base.");
  expect(parts.map(({ kind, items }) => [kind, items.join("")])).toEqual([
    ["same", "The lamp is "],
    ["removed", "undamaged."],
    ["added", "cracked at the base."],
  ]);
});

test("times and ids count as equal when they are ignored, and each side keeps its own", () => {
  const [a, b] = [
    "task_01m7h3e3s6000zvkgc5ct66t70fkh at 2030-01-01T00:00:00.000Z",
    "task_01m7h3e3s10009ep8d5he84bvcna8 at 2031-02-03T04:05:06Z",
  ];
  expect(withoutTimesAndIds(a ?? "")).toBe(withoutTimesAndIds(b ?? ""));
  expect(diffLines(a ?? "", b ?? "", withoutTimesAndIds)).toMatchObject([
    { kind: "same", left: { text: a }, right: { text: b } },
  ]);
  expect(withoutTimesAndIds("order_id 10482 deadbeef")).toBe("order_id 10482 deadbeef");
});

test("two long texts without anything in common are shown as replaced", () => {
  const lines = (word: string): string[] => Array.from({ length: 3000 }, (_, index) => `${word} ${index}`);
  const parts = diffSequences(lines("a"), lines("b"), plain);
  expect(parts.map(({ kind, items }) => [kind, items.length])).toEqual([
    ["removed", 3000],
    ["added", 3000],
  ]);
});
