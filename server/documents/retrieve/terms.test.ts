import { expect, test } from "vitest";
import { stem, termsOf } from "./terms.ts";

test("forms of one word are one term", () => {
  for (const forms of [
    ["filter", "filters", "filtered", "filtering"],
    ["battery", "batteries"],
    ["stop", "stopped", "stopping"],
    ["glass", "glasses"],
    ["use", "used", "uses"],
  ])
    expect(new Set(forms.map(stem)).size, forms.join()).toBe(1);
});

test("different words stay different", () => {
  expect(new Set(["bus", "business", "gas", "glass", "sing", "red"].map(stem)).size).toBe(6);
});

test("stop words and question words are dropped, figures stay whole", () => {
  expect(termsOf("What is the maximum pressure of the Halden 40's pump?")).toEqual([
    "maximum",
    "pressur",
    "halden",
    "40",
    "pump",
  ]);
  expect(termsOf("How long do they ...?!")).toEqual([]);
});

test("accents, case and compatibility forms do not matter", () => {
  expect(termsOf("CAFÉ Naïve ﬁlter")).toEqual(termsOf("cafe naive filter"));
});
