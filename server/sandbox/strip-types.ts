import { createRequire } from "node:module";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import type { Options } from "sucrase";
import { onFirstUse } from "../lib/first-use.ts";

// Not imported: its tables of characters would be built at every start. A synchronous import needs `require`.
const sucrase = onFirstUse(() => createRequire(import.meta.url)("sucrase") as typeof import("sucrase"));

const OPTIONS: Options = {
  transforms: ["typescript"],
  disableESTransforms: true,
  keepUnusedImports: true,
  preserveDynamicImport: true,
  filePath: "code",
};

/** JavaScript with the same lines. Types are removed, not checked. */
export function stripTypes(source: string): string {
  return sucrase().transform(source, OPTIONS).code;
}

/** The column in the source of a column in its JavaScript, both from 1: a removed type moves the rest of its line. */
export function columnBeforeStrip(source: string, line: number, column: number): number {
  const { sourceMap } = sucrase().transform(source, {
    ...OPTIONS,
    sourceMapOptions: { compiledFilename: "code" },
  });
  const position = originalPositionFor(new TraceMap(JSON.stringify(sourceMap)), { line, column: column - 1 });
  return position.column === null ? column : position.column + 1;
}
