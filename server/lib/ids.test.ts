import { expect, test } from "vitest";
import { createId, isId } from "./ids.ts";

test("ids sort in the order of their creation, even when the clock steps back", () => {
  const start = Date.now() + 60_000;
  const ids = [
    createId("wf", start),
    createId("wf", start),
    createId("wf", start - 5000),
    createId("wf", start + 1),
  ];
  expect(ids.toSorted()).toEqual(ids);
});

test("ten thousand ids are unique", () => {
  expect(new Set(Array.from({ length: 10_000 }, () => createId("task"))).size).toBe(10_000);
});

test("only a well-formed id with the right prefix is accepted", () => {
  const id = createId("wf");
  expect(isId("wf", id)).toBe(true);
  expect(isId("task", id)).toBe(false);
  for (const wrong of ["wf_", `${id}x`, id.toUpperCase(), "wf_../../etc/passwd", 7, null])
    expect(isId("wf", wrong)).toBe(false);
});
