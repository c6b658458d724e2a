import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Section } from "./promises/section.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

export function testFiles(): string[] {
  return ["contract", "server", "test", "web"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".test.ts"))
      .map((path) => join(folder, path)),
  );
}

/** Lines without a test, and lines whose test does not exist. */
export function missingProofs(sections: Section[]): string[] {
  const sources = new Map<string, string>();
  const sourceOf = (file: string): string => {
    if (!sources.has(file)) sources.set(file, existsSync(join(root, file)) ? read(file) : "");
    return sources.get(file)!;
  };
  return sections.flatMap(({ promises }) =>
    promises.flatMap(({ id, proofs }) => {
      if (proofs.length === 0) return [`${id}: no test`];
      return proofs
        .map((proof) => proof.split(/ › (.*)/s))
        .filter(([file = "", title = ""]) => !hasTest(sourceOf(file), title))
        .map(([file, title]) => `${id}: no test "${title}" in ${file}`);
    }),
  );
}

function hasTest(source: string, title: string): boolean {
  return title !== "" && indexOfTitle(source, title) >= 0;
}

/** Finds the title as a string literal that is the first argument of a call. */
function indexOfTitle(source: string, title: string): number {
  return Math.max(...[`"${title}",`, `\`${title}\`,`].map((literal) => source.indexOf(literal)));
}

/** The titles of the `describe` blocks around a test, outermost first. The formatter's indentation gives the nesting. */
export function blocksAround(source: string, title: string): string[] {
  const lines = source.slice(0, indexOfTitle(source, title) + 1).split("\n");
  const blocks: string[] = [];
  let indent = indentOf(lines.at(-1) ?? "");
  for (const line of lines.toReversed()) {
    if (line.trim() === "" || indentOf(line) >= indent) continue;
    indent = indentOf(line);
    const block = /^\s*describe(?:\.\w+)*\(\s*["`](.*?)["`],/.exec(line)?.[1];
    if (block !== undefined) blocks.unshift(block);
  }
  return blocks;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
