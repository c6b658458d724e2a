import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { transform, type Options } from "sucrase";

const OPTIONS: Options = {
  transforms: ["typescript"],
  disableESTransforms: true,
  keepUnusedImports: true,
  preserveDynamicImport: true,
  filePath: "code",
};

/** JavaScript with the same lines. Types are removed, not checked. */
export function stripTypes(source: string): string {
  return transform(source, OPTIONS).code;
}

/** The column in the source of a column in its JavaScript, both from 1: a removed type moves the rest of its line. */
export function columnBeforeStrip(source: string, line: number, column: number): number {
  const { sourceMap } = transform(source, { ...OPTIONS, sourceMapOptions: { compiledFilename: "code" } });
  const position = originalPositionFor(new TraceMap(JSON.stringify(sourceMap)), { line, column: column - 1 });
  return position.column === null ? column : position.column + 1;
}
