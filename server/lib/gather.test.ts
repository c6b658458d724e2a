import { expect, test } from "vitest";
import { gather } from "./gather.ts";

function counted() {
  const asked: string[][] = [];
  const ask = gather((keys: readonly string[]) => {
    asked.push([...keys]);
    return keys.map((key) => Promise.resolve(key.toUpperCase()));
  });
  return { ask, asked };
}

test("questions of one turn are asked together, the same one once", async () => {
  const { ask, asked } = counted();
  expect(await Promise.all(["a", "b", "a"].map(ask))).toEqual(["A", "B", "A"]);
  expect(asked).toEqual([["a", "b"]]);
});

test("questions are equal when their keys are", async () => {
  const asked: number[] = [];
  const ask = gather(
    (questions: readonly { n: number }[]) => {
      asked.push(questions.length);
      return questions.map(({ n }) => Promise.resolve(n));
    },
    ({ n }) => n,
  );
  expect(await Promise.all([ask({ n: 1 }), ask({ n: 2 }), ask({ n: 1 })])).toEqual([1, 2, 1]);
  expect(asked).toEqual([2]);
});

test("what is asked after the answers are on their way is asked anew", async () => {
  const { ask, asked } = counted();
  const first = ask("a");
  await new Promise((resolve) => setImmediate(resolve));
  const second = ask("a");
  expect(await Promise.all([first, second])).toEqual(["A", "A"]);
  expect(asked).toEqual([["a"], ["a"]]);
});

test("never more than a hundred at once", async () => {
  const { ask, asked } = counted();
  await Promise.all(Array.from({ length: 250 }, (_, key) => ask(`${key}`)));
  expect(asked.map(({ length }) => length)).toEqual([100, 100, 50]);
});

test("a question that fails fails alone, and is asked anew the next time", async () => {
  let fails = true;
  const ask = gather((keys: readonly string[]) =>
    keys.map((key) => (fails && key === "a" ? Promise.reject(new Error("no answer")) : Promise.resolve(key))),
  );
  const answers = await Promise.allSettled([ask("a"), ask("b")]);
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  fails = false;
  expect(await ask("a")).toBe("a");
});
