import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Plugin } from "vitest/config";
import { stripTypes } from "../../server/sandbox/strip-types.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Not in node_modules, whose lines `npm test` leaves out of failures. */
const output = join(root, "dist", "tests");
const SOURCE = /^(?:apps|contract|server)\/(?!.*\/testing\/).*(?<!\.test)\.ts$/;
/** As in bundled-workers-alias.ts. */
const REPLACED: Record<string, string> = { "server/lib/worker-file.ts": "test/support/bundled-worker.ts" };

/**
 * Vitest's plugin: tests import the service as JavaScript that Node loads itself. Vitest's module loader takes several times
 * as long for the thousand modules of the service, in every test process. Stack traces name the lines of the sources.
 */
export function compiledSources(): Plugin | undefined {
  // A watch and a coverage report follow the imports of the sources themselves.
  if (!process.argv.includes("run") || process.argv.some((option) => option.startsWith("--coverage")))
    return undefined;
  return {
    name: "compiled-sources",
    enforce: "pre",
    config() {
      compileOnce();
      return { test: { server: { deps: { external: [/\/dist\/tests\//] } } } };
    },
    resolveId(id, importer) {
      const source = sourceOf(id, importer);
      return SOURCE.test(source) && !(source in REPLACED) ? outputOf(source) : undefined;
    },
  };
}

/** Relative to the root of the project. */
function sourceOf(id: string, importer: string | undefined): string {
  if (id.startsWith("file:")) return relative(root, fileURLToPath(id));
  if (isAbsolute(id)) return relative(root, id);
  return id.startsWith(".") && importer !== undefined ? relative(root, join(dirname(importer), id)) : id;
}

function outputOf(source: string): string {
  return join(output, source.replace(/\.ts$/, ".js"));
}

let isCompiled = false;

/** Each Vitest project has its own plugin. */
function compileOnce(): void {
  if (isCompiled) return;
  isCompiled = true;
  const sources = ["apps", "contract", "server"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) =>
        join(folder, path),
      ),
    )
    .filter((path) => SOURCE.test(path));
  for (const source of sources) compile(source);
  const outputs = new Set(sources.map(outputOf));
  for (const path of readdirSync(output, { recursive: true, encoding: "utf8" }))
    if (path.endsWith(".js") && !outputs.has(join(output, path))) rmSync(join(output, path), { force: true });
}

const compiler = readFileSync(fileURLToPath(import.meta.url), "utf8");

/** Renames a complete file into place: another run may load it at the same time. */
function compile(source: string): void {
  const text = readFileSync(join(root, REPLACED[source] ?? source), "utf8");
  const hash = createHash("sha256").update(root).update(compiler).update(text).digest("hex");
  const file = outputOf(source);
  if (existsSync(file) && readFileSync(file, "utf8").endsWith(`// ${hash}\n`)) return;
  mkdirSync(dirname(file), { recursive: true });
  const own = `${file}.${process.pid}`;
  writeFileSync(own, `${javaScriptOf(source, text)}\n// ${hash}\n`);
  renameSync(own, file);
}

/** Files that are not compiled are imported, and files beside the source found, where the source is. */
function javaScriptOf(source: string, text: string): string {
  const urlOf = (path: string): string => JSON.stringify(pathToFileURL(join(root, path)).href);
  return stripTypes(text)
    .replaceAll(/\b(from |import |import\()"(\.[^"]+)"/g, (_, before: string, path: string) => {
      const imported = join(dirname(source), path);
      return `${before}${SOURCE.test(imported) ? `"${path.replace(/\.ts$/, ".js")}"` : urlOf(imported)}`;
    })
    .replaceAll("import.meta.url", urlOf(source));
}
