import { expect, test } from "vitest";
import { chipLabel, findChips } from "./chips.ts";

const text = "Dear {{steps.order.output.customer}}, {{ now }}!";
const pieces = (value: string): string[] => findChips(value).map(({ start, end }) => value.slice(start, end));

test("finds exactly the placeholders that a run would replace", () => {
  expect(pieces(text)).toEqual(["{{steps.order.output.customer}}", "{{ now }}"]);
  expect(pieces("{{{input}}} \\{{input}} {{1 + 1}} {{ {{input.a}}")).toEqual(["{{input}}", "{{input.a}}"]);
  expect(pieces("{{")).toEqual([]);
});

test("hostile text is scanned in linear time", () => {
  expect(findChips("{{".repeat(100_000))).toEqual([]);
  expect(findChips("{{a ".repeat(50_000))).toEqual([]);
});

test("a chip shows the title of the step and the path into its output", () => {
  const titles = new Map([["order", "The order"]]);
  const labels = (value: string): string[] =>
    findChips(value).map(({ reference }) => chipLabel(reference, titles));
  expect(labels(text)).toEqual(["The order › customer", "Now"]);
  expect(labels("{{steps.order.output}}{{steps.order.error.message}}{{steps.gone.output[0].a}}")).toEqual([
    "The order",
    "The order › error.message",
    "gone › [0].a",
  ]);
});

test("other roots are shown in words, and an unknown one as it is written", () => {
  const labels = (value: string): string[] =>
    findChips(value).map(({ reference }) => chipLabel(reference, new Map()));
  expect(labels("{{item.sku}} {{vars.shop}} {{input}} {{order.total}}")).toEqual([
    "This item › sku",
    "Variables › shop",
    "Input",
    "order.total",
  ]);
});
