import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../web/", import.meta.url));

/** The first class of every selector in a stylesheet. */
function leadingClasses(css: string): Set<string> {
  const selectors = css.replaceAll(/\/\*[^]*?\*\//g, "").matchAll(/(?:^|[{};,])\s*\.([a-z][\w-]*)/gi);
  return new Set([...selectors].map(([, name]) => name ?? ""));
}

/** Stylesheets load with their screens and stay loaded: a rule for a class of another screen would change that screen. */
test("every class is styled by one stylesheet only, so screens do not affect each other", () => {
  const sheets = new Map<string, string[]>();
  for (const file of readdirSync(root, { recursive: true, encoding: "utf8" }))
    if (file.endsWith(".css"))
      for (const name of leadingClasses(readFileSync(`${root}${file}`, "utf8")))
        sheets.set(name, [...(sheets.get(name) ?? []), file]);
  expect([...sheets].filter(([, files]) => files.length > 1)).toEqual([]);
});
