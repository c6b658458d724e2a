import { expect, test } from "vitest";
import { asScript } from "./script-path.ts";

test.each([
  ["input", "input"],
  ["steps.get-order.output.items[0].price", 'steps["get-order"].output.items[0].price'],
  ['input["any key"].größe', 'input["any key"].größe'],
  ["vars.rate", "vars.rate"],
])("%s is %s in code", (path, script) => {
  expect(asScript(path)).toBe(script);
});
