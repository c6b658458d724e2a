import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../web/", import.meta.url));

/** The class that each selector of a sheet begins with. */
function leadingClasses(css: string): Set<string> {
  const selectors = css.replaceAll(/\/\*[^]*?\*\//g, "").matchAll(/(?:^|[{};,])\s*\.([a-z][\w-]*)/gi);
  return new Set([...selectors].map(([, name]) => name ?? ""));
}

/** Sheets are loaded with the screens that need them and stay: one that styles a stranger's class does so from then on. */
test("a class is styled by one sheet alone, so no screen looks different after another was open", () => {
  const sheets = new Map<string, string[]>();
  for (const file of readdirSync(root, { recursive: true, encoding: "utf8" }))
    if (file.endsWith(".css"))
      for (const name of leadingClasses(readFileSync(`${root}${file}`, "utf8")))
        sheets.set(name, [...(sheets.get(name) ?? []), file]);
  expect([...sheets].filter(([, files]) => files.length > 1)).toEqual([]);
});
