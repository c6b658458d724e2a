import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

const never = new AbortController().signal;

test("so many are let in at a time, in the order in which they came", async () => {
  const takeTurn = createTurns(2);
  const entered: string[] = [];
  const enter = async (name: string): Promise<() => void> => {
    const release = await takeTurn(never);
    entered.push(name);
    return release;
  };
  const [first, second] = [await enter("a"), await enter("b")];
  const third = enter("c");
  const fourth = enter("d");
  await Promise.resolve();
  expect(entered).toEqual(["a", "b"]);
  first();
  (await third)();
  await fourth;
  expect(entered).toEqual(["a", "b", "c", "d"]);
  second();
});

test("one who leaves the line loses only his own turn", async () => {
  const takeTurn = createTurns(1);
  const release = await takeTurn(never);
  const leaving = new AbortController();
  const left = takeTurn(leaving.signal);
  const next = takeTurn(never);
  leaving.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  release();
  (await next)();
  (await takeTurn(never))();
});
