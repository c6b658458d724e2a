import { describe, expect, test } from "vitest";
import { addStepAt, pinPlaces, placeAfter, tidy } from "./add-step.ts";
import type { Draft } from "./draft.ts";
import { positionsOf } from "./layout.ts";
import { sceneOf } from "./scene.ts";
import {
  editScope,
  lineEnds,
  locate,
  moveNodes,
  nodeIdOf,
  nodeIds,
  removeLines,
  removeNodes,
} from "./scopes.ts";
import { nodeInDirection } from "./selection.ts";

const step = (stepId: string, more: object = {}) => ({ stepId, type: "transform", ...more });
const fresh = step("new");

/** a → each (x → y, and a nested loop with z) → b, with a condition at the end. */
const draft: Draft = {
  name: "",
  description: "",
  steps: [
    step("a"),
    {
      stepId: "each",
      type: "foreach",
      steps: [step("x"), step("y"), { stepId: "deep", type: "foreach", steps: [step("z")] }],
      edges: [
        { id: "x-y", source: "x", target: "y" },
        { id: "y-deep", source: "y", target: "deep" },
      ],
    },
    step("b", { type: "condition" }),
  ],
  edges: [
    { id: "a-each", source: "a", target: "each" },
    { id: "each-b", source: "each", target: "b" },
  ],
};
const ends = ({ edges }: { edges: Draft["edges"] }) =>
  edges.map(({ source, target, condition }) => [source, target, condition].filter(Boolean).join(">"));

describe("a new step", () => {
  test("splits the line on which it is inserted, which keeps its condition", () => {
    const branched = {
      ...draft,
      steps: [...draft.steps, step("c")],
      edges: [...draft.edges, { id: "b-c", source: "b", target: "c", condition: "true" }],
    };
    const place = { kind: "line", ...lineEnds(branched, "b-c")! } as const;
    expect(ends(addStepAt(branched, fresh, place).draft)).toEqual([
      "a>each",
      "each>b",
      "b>new>true",
      "new>c",
    ]);
  });

  test("is inserted on a line inside a nested loop", () => {
    const place = { kind: "line", ...lineEnds(draft, "each/x-y")! } as const;
    const added = addStepAt(draft, fresh, place);
    expect(added.nodeId).toBe("each/new");
    expect(ends(locate(added.draft, "each/new")!.graph)).toEqual(["x>new", "y>deep", "new>y"]);
    expect(addStepAt(draft, fresh, { kind: "after", nodeId: "each/deep/z" }).nodeId).toBe("each/deep/new");
  });

  test("follows the branch that was chosen, and goes before a first step on the line of a trigger", () => {
    const after = addStepAt(draft, fresh, { kind: "after", nodeId: "b", condition: "false" });
    expect(ends(after.draft)).toContain("b>new>false");
    expect(ends(addStepAt(draft, fresh, { kind: "before", nodeId: "a" }).draft)).toContain("new>a");
  });

  test("in a graph without edges turns the list order into edges first, so that no step starts earlier", () => {
    const list: Draft = { ...draft, steps: [step("a"), step("b"), step("c")], edges: [] };
    const place = placeAfter(list, "a");
    expect(place.kind).toBe("line");
    expect(ends(addStepAt(list, fresh, place).draft).toSorted()).toEqual(["a>new", "b>c", "new>b"]);
    expect(ends(addStepAt(list, fresh, placeAfter(list, undefined)).draft)).toContain("c>new");
  });

  test("in a graph placed by hand makes room and moves nothing else", () => {
    const placed = pinPlaces(draft, undefined);
    const before = positionsOf(placed);
    const added = addStepAt(placed, fresh, { kind: "line", ...lineEnds(placed, "each-b")! }).draft;
    const after = positionsOf(added);
    expect(after.get("new")).toEqual(before.get("b"));
    expect(after.get("b")!.y).toBeGreaterThan(before.get("b")!.y + 52);
    expect(after.get("a")).toEqual(before.get("a"));
  });
});

test("tidy removes positions at every depth, and a graph that nobody moved stores none", () => {
  const moved = pinPlaces(pinPlaces(draft, undefined), "each");
  expect(JSON.stringify(moved)).toContain("position");
  expect(tidy(moved)).toEqual(draft);
  expect(JSON.stringify(addStepAt(draft, fresh, placeAfter(draft, "a")).draft)).not.toContain("position");
});

describe("node ids", () => {
  test("name steps at any depth, also those whose id contains a slash", () => {
    expect(nodeIds(draft)).toEqual(["a", "each", "each/x", "each/y", "each/deep", "each/deep/z", "b"]);
    expect(locate(draft, "each/deep/z")?.scope).toBe("each/deep");
    expect(nodeIdOf(draft, "z")).toBe("each/deep/z");
    const odd = { ...draft, steps: [...draft.steps, step("each/x")] };
    expect(locate(odd, "each/x")?.scope).toBeUndefined();
  });

  test("steps and lines are changed in the graph that contains them", () => {
    expect(nodeIds(removeNodes(draft, ["each/x", "each/deep/z", "b"]))).toEqual([
      "a",
      "each",
      "each/y",
      "each/deep",
    ]);
    // The loop and a step in it: the step goes with the loop.
    expect(nodeIds(removeNodes(draft, ["each", "each/x"]))).toEqual(["a", "b"]);
    expect(ends(locate(removeLines(draft, ["each/x-y"]), "each/x")!.graph)).toEqual(["y>deep"]);
    const moved = moveNodes(draft, new Map([["each/y", { x: 5, y: 6 }]]));
    expect(locate(moved, "each/y")?.step["position"]).toEqual({ x: 5, y: 6 });
    expect(editScope(draft, "ghost", () => ({ ...draft, steps: [] }))).toBe(draft);
  });
});

test("arrow keys walk along the lines, into loops and out of them", () => {
  const walk = ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"] as const;
  let at: string | undefined = "a";
  const seen = walk.map((key) => (at = nodeInDirection(draft, at, key)));
  expect(seen).toEqual(["each", "each/x", "each/y", "each/deep", "each/deep/z", "b"]);
  expect(nodeInDirection(draft, "each/x", "ArrowUp")).toBe("each");
  expect(nodeInDirection(draft, "b", "ArrowUp")).toBe("each");
});

test("the steps of a loop are drawn inside it, and lines start and end at their steps", () => {
  const { steps, lines, positions } = sceneOf(draft);
  const boxOf = (id: string) => ({ ...steps.find((entry) => entry.id === id)!, ...positions.get(id)! });
  for (const { id, scope } of steps.filter((entry) => entry.scope !== undefined)) {
    const [inner, outer] = [boxOf(id), boxOf(scope!)];
    expect(inner.x).toBeGreaterThan(outer.x);
    expect(inner.y).toBeGreaterThan(outer.y);
    expect(inner.x + inner.width).toBeLessThan(outer.x + outer.width);
    expect(inner.y + inner.height).toBeLessThan(outer.y + outer.height);
  }
  for (const { source, target, points } of lines) {
    const [from, to] = [boxOf(source), boxOf(target)];
    expect(points[0]!.y).toBe(from.y + from.height);
    expect(points.at(-1)).toEqual({ x: to.x + to.width / 2, y: to.y });
  }
  expect(lines.map(({ id }) => id)).toContain("each/x-y");
});
