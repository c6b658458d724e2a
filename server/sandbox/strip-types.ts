import { createRequire } from "node:module";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import type { Options } from "sucrase";
import { onFirstUse } from "../lib/first-use.ts";

// Not imported: its tables of characters would be built at every start. A synchronous import needs `require`.
const sucrase = onFirstUse(() => {
  const require = createRequire(import.meta.url);
  limitBacktracking((require("sucrase/dist/parser/tokenizer/state.js") as { default: ParserClass }).default);
  return require("sucrase") as typeof import("sucrase");
});

interface ParserState {
  tokens: { length: number };
  restoreFromSnapshot(snapshot: { tokensLength: number }): void;
}
type ParserClass = new () => ParserState;

/** Of tokens that are read again. Ordinary code has fewer than characters, a line with a few nested assertions more. */
const MIN_TOKENS = 1000;
let tokensLeft = 0;

/**
 * The parser tries arrow functions first and reads the source again when it finds none. Nested `<T>(…)` and nested
 * defaults of parameters, such as `(a = (b = 1) => 1) => 1`, double that at each level: 86 characters took 4 seconds.
 */
function limitBacktracking(State: ParserClass): void {
  const { restoreFromSnapshot } = State.prototype as ParserState;
  (State.prototype as ParserState).restoreFromSnapshot = function (snapshot) {
    tokensLeft -= this.tokens.length - snapshot.tokensLength;
    if (tokensLeft < 0) throw new Error("Type assertions or defaults of parameters are nested too deeply");
    restoreFromSnapshot.call(this, snapshot);
  };
}

function transform(source: string, options: Options) {
  const { transform: transformSource } = sucrase();
  tokensLeft = Math.max(source.length, MIN_TOKENS);
  return transformSource(source, options);
}

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
  const { sourceMap } = transform(source, {
    ...OPTIONS,
    sourceMapOptions: { compiledFilename: "code" },
  });
  const position = originalPositionFor(new TraceMap(JSON.stringify(sourceMap)), { line, column: column - 1 });
  return position.column === null ? column : position.column + 1;
}
