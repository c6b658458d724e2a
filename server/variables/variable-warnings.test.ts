import { expect, test } from "vitest";
import { createVariableWarnings } from "./variable-warnings.ts";

const say = (stepId: string, template: unknown) => ({ stepId, type: "transform", template });

/** The ids of the steps with a warning, for an owner who has the variables `v0` to `v499`. */
async function warnedSteps(steps: unknown[], asked: string[] = []): Promise<(string | undefined)[]> {
  const warningsOf = createVariableWarnings((_ownerId, names) => {
    asked.push(...names);
    return Promise.resolve(names.filter((name) => /^v[1-4]?\d?\d$/.test(name)).map((name) => ({ name })));
  });
  return (await warningsOf("alice", { steps })).map(({ stepId }) => stepId);
}

test("a wrong name is found behind hundreds of right ones", async () => {
  const right = Array.from({ length: 500 }, (_, n) => say(`s${n}`, `{{vars.v${n}}}`));
  expect(await warnedSteps([...right, say("wrong", "{{vars.w}}")])).toEqual(["wrong"]);
});

test("the comparison of a loop is read", async () => {
  const repeat = { stepId: "a", type: "while", left: "{{vars.w}}", operator: "eq", right: "{{secrets.w}}" };
  expect(await warnedSteps([{ ...repeat, steps: [say("b", "{{vars.v1}}")] }])).toEqual(["a", "a"]);
});

test("of a hundred thousand names, a thousand are looked up and a hundred reported", async () => {
  const text = Array.from({ length: 100_000 }, (_, n) => `{{vars.w${n}}}`).join("");
  const asked: string[] = [];
  expect(await warnedSteps([say("a", text)], asked)).toHaveLength(100);
  expect(asked).toHaveLength(1000);
});
