import { expect, test } from "vitest";
import { createHeadingPath } from "./heading-path.ts";

test("a long path loses its highest headings first", () => {
  const long = "x".repeat(175);
  const headings = [
    { start: 0, text: "Part one", level: 1 },
    { start: 10, text: long, level: 2 },
    { start: 190, text: "y".repeat(200), level: 3 },
  ];
  const path = createHeadingPath([{ page: 1, text: "", headings }]);
  expect(path({ page: 1, start: 5 })).toBe("Part one");
  expect(path({ page: 1, start: 185 })).toBe(long);
  expect(path({ page: 1, start: 300 })).toBe("y".repeat(180));
});

test("an empty heading ends those of its level and below", () => {
  const headings = [
    { start: 0, text: "Report", level: 1 },
    { start: 10, text: "Sales by region", level: 7 },
    { start: 90, text: "", level: 7 },
  ];
  const path = createHeadingPath([
    { page: 1, text: "", headings },
    { page: 2, text: "" },
  ]);
  expect(path({ page: 1, start: 50 })).toBe("Report > Sales by region");
  expect(path({ page: 2, start: 0 })).toBe("Report");
});
