import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isInLoop,
  isWithinLoop,
  iterationOf,
  iterationPath,
  iterationPrefix,
  loopPrefix,
  outermostLoop,
  pathUnder,
  parseStepPath,
  printStepPath,
} from "./step-path.ts";

describe("a step path is parsed into iterations and a step", () => {
  test.each([
    ["fetch", [], "fetch"],
    ["each[3]/fetch", [{ loopId: "each", index: 3 }], "fetch"],
    [
      "outer[2]/inner[0]/fetch",
      [
        { loopId: "outer", index: 2 },
        { loopId: "inner", index: 0 },
      ],
      "fetch",
    ],
    ["each[3]", [{ loopId: "each", index: 3 }], undefined],
    ["each[x]/fetch", [], "each[x]/fetch"],
    ["a/b", [], "a/b"],
  ])("%s", (path, iterations, stepId) => {
    expect(parseStepPath(path)).toEqual({ iterations, stepId });
    expect(printStepPath({ iterations, stepId })).toBe(path);
  });
});

test("printing and parsing are inverse, also for ids with brackets when the loops are known", () => {
  const id = fc.stringMatching(/^[a-c[\]0-2/]{1,6}$/);
  const iteration = fc.record({ loopId: id, index: fc.nat(99) });
  fc.assert(
    fc.property(
      fc.array(iteration, { maxLength: 3 }),
      fc.option(id, { nil: undefined }),
      (iterations, stepId) => {
        if (stepId === undefined && iterations.length === 0) return;
        const path = printStepPath({ iterations, stepId });
        const loops = new Set(
          iterations.map(({ loopId }, depth) =>
            printStepPath({ iterations: iterations.slice(0, depth), stepId: loopId }),
          ),
        );
        expect(printStepPath(parseStepPath(path, (loop) => loops.has(loop)))).toBe(path);
        expect(parseStepPath(path, (loop) => loops.has(loop))).toEqual({ iterations, stepId });
      },
    ),
  );
});

test("paths of iterations are built in one place", () => {
  expect(iterationPath("each", 3)).toBe("each[3]");
  expect(iterationPrefix("outer[2]/inner", 0)).toBe("outer[2]/inner[0]/");
  expect("each[3]/fetch".startsWith(loopPrefix("each"))).toBe(true);
});

test("steps in an iteration, and iterations themselves, are in a loop", () => {
  expect(["each[3]/fetch", "each[3]", "outer[1]/each[2]/x"].filter((path) => isInLoop(path))).toHaveLength(3);
  expect(["fetch", "each", "each[x]", "a[0]b"].filter((path) => isInLoop(path))).toEqual([]);
});

test("a step whose id looks like an iteration is in no loop when the loops are known", () => {
  const isLoop = (path: string) => path === "each";
  expect(isInLoop("a[0]", isLoop)).toBe(false);
  expect(isInLoop("each[0]/a[0]", isLoop)).toBe(true);
  expect(parseStepPath("each[0]/a[0]", isLoop)).toEqual({
    iterations: [{ loopId: "each", index: 0 }],
    stepId: "a[0]",
  });
});

test("the outermost loop of a path", () => {
  expect(outermostLoop("outer[2]/inner[0]/fetch")).toBe("outer");
  expect(outermostLoop("a[0][1]/fetch", (path) => path === "a[0]")).toBe("a[0]");
  expect(outermostLoop("fetch")).toBeUndefined();
});

test("only a path that ends with a number in brackets is an iteration", () => {});

test("the iteration of one loop that holds a path", () => {
  expect(iterationOf("each[3]/fetch", "each")).toEqual({ index: 3, innerPath: "fetch" });
  expect(iterationOf("outer[2]/inner[0]/fetch", "outer")).toEqual({ index: 2, innerPath: "inner[0]/fetch" });
  expect(iterationOf("outer[2]/inner[0]/fetch", "outer[2]/inner")).toEqual({ index: 0, innerPath: "fetch" });
  expect(iterationOf("each[3]", "each")).toEqual({ index: 3, innerPath: undefined });
  for (const path of ["each", "eachother[1]/x", "each[x]/fetch", "each[1]fetch"])
    expect(iterationOf(path, "each")).toBeUndefined();
});

test("a path under a prefix, and which paths are within a loop", () => {
  expect(pathUnder(iterationPrefix("each", 3), "fetch")).toBe("each[3]/fetch");
  expect(pathUnder("", "fetch")).toBe("fetch");
  expect(["each[3]/fetch", "each[3]", "each[0]/each"].every((path) => isWithinLoop(path, "each"))).toBe(true);
  expect(
    ["each", "each2[3]", "other[3]/each", "outer[0]/each[3]"].some((path) => isWithinLoop(path, "each")),
  ).toBe(false);
  expect(isWithinLoop("outer[0]/each[3]", "outer[0]/each")).toBe(true);
});
