import { expect, test } from "vitest";
import { convertWorkflow } from "../convert.ts";
import { placeholderStep } from "./placeholder.ts";

test("a placeholder reads only as much of large parameters as it keeps", () => {
  let reads = 0;
  const entry = {
    get name() {
      reads += 1;
      return "a long name";
    },
  };
  const parameters = { list: Array.from({ length: 100_000 }, () => entry) };
  const { code } = placeholderStep("fax", { name: "Fax", type: "other.fax", parameters });
  expect(String(code).match(/a long name/g)?.length).toBeGreaterThan(300);
  expect(reads).toBeLessThan(2000);
});

test("other requests are served between the placeholders of a file", () => {
  const nodes = Array.from({ length: 100 }, (_, at) => ({ name: `Fax ${at}`, type: "other.fax" }));
  const work = convertWorkflow({ nodes }, {});
  let parts = 0;
  while (work.next().done !== true) parts += 1;
  // Converting a node is a part, making its step another one, and checking it a third.
  expect(parts).toBeGreaterThan(300);
});
