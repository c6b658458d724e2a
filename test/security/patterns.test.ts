import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { analyse } from "scslre";
import { parseSync, Visitor } from "vite";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Pattern {
  source: string;
  flags: string;
}

/** The regular expressions of a file, those in calls of `RegExp` with a literal text included. */
function patternsIn(file: string, text: string): Pattern[] {
  const found: Pattern[] = [];
  const addCall = (call: { callee: object; arguments: object[] }): void => {
    const [source, flags] = call.arguments.map((argument) => (argument as { value?: unknown }).value);
    if ((call.callee as { name?: string }).name === "RegExp" && typeof source === "string")
      found.push({ source, flags: typeof flags === "string" ? flags : "" });
  };
  new Visitor({
    Literal: (node) => {
      if ("regex" in node) found.push({ source: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression: addCall,
    CallExpression: addCall,
  }).visit(parseSync(file, text).program);
  return found;
}

function isExponential({ source, flags }: Pattern): boolean {
  // The analysis does not know the flag "v", whose patterns here are valid with "u".
  const literal = { source, flags: flags.replace("v", "u") };
  // Reports of the kind "Move" are polynomial.
  const { reports } = analyse(literal, { assumeRejectingSuffix: true, reportTypes: { Move: false } });
  return reports.some(({ exponential }) => exponential);
}

test("a pattern that takes exponential time is recognized", () => {
  const text = "const a: RegExp = /^(a+)+$/; RegExp(`x`); new RegExp('(b+)*c', 'u'); /^(a+b)+$/v;";
  const patterns = patternsIn("sample.ts", text);
  expect(patterns.map(({ source }) => source)).toEqual(["^(a+)+$", "(b+)*c", "^(a+b)+$"]);
  expect(patterns.map(isExponential)).toEqual([true, true, false]);
});

test("no regular expression of the service takes exponential time", () => {
  const files = ["server", "contract", "apps"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.includes("/testing/"));
  const found = files.flatMap((file) =>
    patternsIn(file, readFileSync(join(root, file), "utf8")).map((pattern) => ({ file, ...pattern })),
  );
  expect(found.length).toBeGreaterThan(500);
  expect(found.filter(isExponential)).toEqual([]);
});
