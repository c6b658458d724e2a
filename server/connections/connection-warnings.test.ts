import { expect, test } from "vitest";
import { createConnectionWarnings } from "./connection-warnings.ts";

test("a step with an unknown connection is found behind hundreds of others, and a hundred are reported", async () => {
  const warningsOf = createConnectionWarnings((_ownerId, ids) =>
    Promise.resolve(new Set(ids.filter((id) => id === "con_1"))),
  );
  const call = (stepId: string, connection: string) => ({ stepId, type: "http", connection });
  const right = Array.from({ length: 300 }, (_, n) => call(`s${n}`, "con_1"));
  const warned = async (steps: unknown[]) =>
    (await warningsOf("alice", { steps })).map(({ stepId }) => stepId);
  expect(await warned([...right, call("wrong", "con_2")])).toEqual(["wrong"]);
  expect(await warned(right.map((step) => ({ ...step, connection: "con_2" })))).toHaveLength(100);
});
