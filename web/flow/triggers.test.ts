import { expect, test } from "vitest";
import { firstSteps, type Trigger, triggerId, triggerPositions } from "./triggers.ts";

const step = (stepId: string) => ({ stepId, type: "transform" });
const trigger = (recordId: string): Trigger => ({
  id: triggerId("webhook", recordId),
  kind: "webhook",
  recordId,
  title: recordId,
  detail: "",
  status: "active",
});

test("the steps without an incoming edge start first; without edges only the first of the list", () => {
  const steps = [step("a"), step("b"), step("c")];
  expect(firstSteps({ steps, edges: [{ source: "a", target: "c" }] })).toEqual(["a", "b"]);
  expect(firstSteps({ steps, edges: [] })).toEqual(["a"]);
});

test("triggers are one row above all steps, centered over the first ones, without overlap", () => {
  const graph = { steps: [step("a"), step("b")], edges: [{ source: "a", target: "b" }] };
  const positions = new Map([
    ["a", { x: 400, y: 100 }],
    ["b", { x: 0, y: 40 }],
  ]);
  const at = triggerPositions([trigger("one"), trigger("two")], graph, positions);
  const [one, two] = [at.get("trigger:webhook:one")!, at.get("trigger:webhook:two")!];
  expect(one.y).toBe(two.y);
  expect(one.y).toBeLessThan(40 - 52);
  expect(two.x - one.x).toBeGreaterThan(236);
  expect((one.x + two.x) / 2).toBe(400);
});
