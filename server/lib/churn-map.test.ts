import { expect, test } from "vitest";
import { ChurnMap } from "./churn-map.ts";
import { collectGarbage, oldBytes } from "./testing/heap.ts";

test("it is a map", () => {
  const map = new ChurnMap<string, { n: number }>();
  map.set("a", { n: 1 });
  map.set("b", { n: 2 });
  map.set("a", { n: 3 });
  map.delete("b");
  map.delete("missing");
  map.set("c", { n: 4 });
  expect(map.get("a")).toEqual({ n: 3 });
  expect(map.get("b")).toBeUndefined();
  expect([...map.keys()]).toEqual(["a", "c"]);
  expect([...map.values()]).toEqual([{ n: 3 }, { n: 4 }]);
});

test("minor collections free the values of removed entries", () => {
  const map = new ChurnMap<string, number[]>();
  const VALUES = 10_000;
  const VALUE_BYTES = 4000;
  const OPEN = 50;
  collectGarbage();
  const before = oldBytes();
  for (let added = 0; added < VALUES; added++) {
    map.set(
      `key ${added}`,
      Array.from({ length: VALUE_BYTES / 8 }, (_, index) => index + added),
    );
    if (added >= OPEN) map.delete(`key ${added - OPEN}`);
    if (added % 200 === 0) collectGarbage("minor");
  }
  expect(oldBytes() - before).toBeLessThan((VALUES * VALUE_BYTES) / 4);
});
