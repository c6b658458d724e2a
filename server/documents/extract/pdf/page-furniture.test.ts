import { expect, test } from "vitest";
import { dropFurniture, isScan, type PageLines } from "./page-furniture.ts";
import type { Line } from "./reading-order.ts";

const HEIGHT = 800;

function lineAt(y: number, text: string, upright = true): Line {
  const box = { x: 60, y, width: 400, height: 10 };
  const pieces = [{ text, box, font: "f", upright }];
  return { segments: [{ pieces, spaced: [false], box, characters: text.length, upright }], block: 0 };
}

function pageOf(page: number, ...lines: Line[]): PageLines {
  return { page, width: 600, height: HEIGHT, lines };
}

test.each([
  [100, 1],
  [101, 4],
])("a last line of %d characters that counts the pages is kept on %d of four pages", (length, kept) => {
  const pages = [1, 2, 3, 4].map((page) =>
    pageOf(
      page,
      lineAt(200, `Chapter ${"abcd"[page - 1]}`),
      lineAt(400, `${"x".repeat(length - 2)} ${page}`),
    ),
  );
  expect(dropFurniture(pages).filter(({ lines }) => lines.length === 2)).toHaveLength(kept);
});

test("a page with a slanted stamp, or with text only in its margins, may be a scan", () => {
  expect(isScan(pageOf(1))).toBe(true);
  expect(isScan(pageOf(1, lineAt(400, "DRAFT", false)))).toBe(true);
  expect(isScan(pageOf(1, lineAt(20, "Header"), lineAt(770, "Footer")))).toBe(true);
  expect(isScan(pageOf(1, lineAt(20, "Header"), lineAt(400, "A sentence.")))).toBe(false);
});
