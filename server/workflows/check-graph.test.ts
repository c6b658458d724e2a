import { expect, test } from "vitest";
import { watchLongestTurn } from "../../test/support/longest-turn.ts";
import { findProblems, isNewTo } from "./check-graph.ts";

const named = (stepId: string) => ({ stepId, type: "transform", template: "a" });
const loop = (stepId: string, steps: object[]) => ({
  stepId,
  type: "foreach",
  items: "{{input.items}}",
  steps,
});
const codesOf = async (steps: object[], stored: object[]) => {
  const isNewStep = isNewTo({ steps: stored, edges: [] });
  const { errors } = await findProblems({ steps, edges: [] }, { maxSteps: 20_000, isNewStep });
  return errors.map(({ code, stepId }) => `${code} ${stepId}`);
};

test("ids that look like iterations are refused in new steps, those of the stored graph are kept", async () => {
  const inner = loop("outer", [loop("each", [named("a")]), named("each[1]")]);
  const steps = [loop("list", [named("b")]), named("list[0]"), inner];
  expect(await codesOf(steps, steps)).toEqual([]);
  expect(await codesOf(steps, [inner])).toEqual(["duplicate_step_id list[0]"]);
  expect(await codesOf(steps, [])).toEqual(["duplicate_step_id list[0]", "duplicate_step_id each[1]"]);
});

test("the stored graph is not validated when the ids of a large graph are looked up in it", async () => {
  const template = Array.from({ length: 20 }, (_, item) => `{{input.items[${item}].name}}`);
  const many = Array.from({ length: 2000 }, (_, n) => ({ stepId: `s${n}`, type: "transform", template }));
  const steps = [loop("list", [named("b")]), named("list[0]"), ...many];
  // Code that blocks does so every time; a long collection of garbage does not repeat.
  let longest = 1;
  for (let attempt = 0; attempt < 3 && longest >= 1 / 4; attempt += 1) {
    const stopWatching = watchLongestTurn();
    expect(await codesOf(steps, structuredClone(steps))).toEqual([]);
    longest = stopWatching();
  }
  expect(longest).toBeLessThan(1 / 4);
});
