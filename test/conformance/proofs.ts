import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** A row of a table whose last column names tests, each as `` `file` › title ``. */
export interface Line {
  id: string;
  promise: string;
  proofs: { file: string; title: string }[];
}

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

/** Rows of the tables that are headed "Line". */
export function linesOf(markdown: string): Line[] {
  const lines: Line[] = [];
  let inTable = false;
  for (const text of markdown.split("\n")) {
    const cells = text.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
    if (cells[1] === "Line") inTable = true;
    else if (!text.startsWith("|")) inTable = false;
    else if (inTable && !cells[1]?.startsWith("---"))
      lines.push({ id: cells[1] ?? "", promise: cells[2] ?? "", proofs: proofsOf(cells[3] ?? "") });
  }
  return lines;
}

function proofsOf(cell: string): Line["proofs"] {
  return cell
    .split("<br>")
    .filter((part) => part !== "")
    .map((part) => {
      const [, file = "", title = ""] = /^`([^`]+)` › (.+)$/.exec(part) ?? [];
      return { file, title };
    });
}

/** What is wrong with the lines of a document, in words. */
export function problemsOf(document: string): string[] {
  const sources = new Map<string, string>();
  const sourceOf = (file: string): string => {
    if (!sources.has(file)) sources.set(file, existsSync(join(root, file)) ? read(file) : "");
    return sources.get(file)!;
  };
  return linesOf(read(document)).flatMap(({ id, proofs }) => {
    if (proofs.length === 0) return [`${document} ${id}: no test`];
    return proofs
      .filter(({ file, title }) => !hasTest(sourceOf(file), title))
      .map(({ file, title }) => `${document} ${id}: no test "${title}" in ${file}`);
  });
}

/** The title as a text of its own, the first parameter of a call. */
function hasTest(source: string, title: string): boolean {
  return title !== "" && [`"${title}",`, `\`${title}\`,`].some((literal) => source.includes(literal));
}
