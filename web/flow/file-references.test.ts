import { expect, test } from "vitest";
import { fileReferencesIn } from "./file-references.ts";

const file = (n: number) => ({
  file: `file_${String(n).padStart(29, "0")}`,
  name: `${n}.csv`,
  contentType: "text/csv",
  size: n,
});

test("files are found anywhere in a value, each once", () => {
  expect(fileReferencesIn(file(1))).toEqual([file(1)]);
  expect(fileReferencesIn({ list: [{ path: "a", file: file(1) }, file(2)], again: file(1) })).toEqual([
    file(1),
    file(2),
  ]);
  expect(fileReferencesIn({ file: "file_x", name: "no id" })).toEqual([]);
  expect(fileReferencesIn(null)).toEqual([]);
  expect(fileReferencesIn(Array.from({ length: 50 }, (_, n) => file(n)))).toHaveLength(20);
});
