import { expect, onTestFinished, test, vi } from "vitest";
import { save } from "../server/engine/testing/workbench.ts";
import { edge } from "./support/graphs.ts";
import { shareApp } from "./support/shared-app.ts";

const { alice } = await shareApp(["alice"]);

const LARGE = 200_000;
/** The client of the test is in the same process. */
const isOfService = () => new Error("for its stack").stack?.includes("client.ts") === false;

test("the large input of a sub-workflow is written and read in parts", async () => {
  const childId = await save(alice, [{ stepId: "first", type: "transform", template: "{{input.0.id}}" }]);
  const code = "return Array.from({ length: 70_000 }, (_, id) => ({ id: `item ${id}` }));";
  const workflowId = await save(
    alice,
    [
      { stepId: "make", type: "code", code },
      { stepId: "call", type: "workflow", workflowId: childId, input: "{{steps.make.output}}" },
    ],
    [edge("make", "call")],
  );
  const large: string[] = [];
  const { parse, stringify } = JSON;
  const parsing = vi.spyOn(JSON, "parse").mockImplementation((text, reviver) => {
    if (text.length > LARGE && isOfService()) large.push(text.slice(0, 50));
    return parse(text, reviver);
  });
  const writing = vi.spyOn(JSON, "stringify").mockImplementation(((
    ...given: Parameters<typeof stringify>
  ) => {
    const text = stringify(...given) as string | undefined;
    if (text !== undefined && text.length > LARGE && isOfService()) large.push(text.slice(0, 50));
    return text;
  }) as typeof stringify);
  onTestFinished(() => [parsing, writing].forEach((spy) => spy.mockRestore()));
  const { body } = await alice.post(`/api/workflows/${workflowId}/run?wait=true`, {});
  expect(body.result.output).toBe("item 0");
  expect(large).toEqual([]);
});
