import { messageOf } from "../lib/errors.ts";
import type { SandboxJob } from "./sandbox-message.ts";
import { columnBeforeStrip, stripTypes } from "./strip-types.ts";

/** The name of the source in stack traces. */
export const FILE = "code";
/** The source begins on the second line. */
const OPENING = "(async () => {\n";
const IS_MODULE = /^[ \t]*export\s+default\b/m;

export interface Program {
  /** JavaScript that the engine evaluates. */
  text: string;
  type: "expression" | "function" | "module";
  /** The position in the source, as the user wrote it, of a position in `text`. */
  locate(line: number, column: number): Position | undefined;
}

export interface Position {
  line: number;
  column: number;
}

export class SourceError extends Error {
  readonly position: Position | undefined;

  constructor(message: string, position: Position | undefined) {
    super(message);
    this.position = position;
  }
}

export function programOf(
  source: string,
  { kind, language }: Pick<SandboxJob, "kind" | "language">,
): Program {
  if (kind === "expressions") {
    const locate = (line: number, column: number) => ({ line, column: line === 1 ? column - 1 : column });
    return { text: `(${source}\n)`, type: "expression", locate: within(source, locate) };
  }
  const type = IS_MODULE.test(source) ? "module" : "function";
  // The parser of types needs the function, too: outside of one, `return` is an error.
  const typed = type === "module" ? source : `${OPENING}${source}\n})`;
  const linesBefore = type === "module" ? 0 : 1;
  const inSource = within(source, (line, column) => ({ line: line - linesBefore, column }));
  const text = language === "typescript" ? withoutTypes(typed, inSource) : typed;
  return { text, type, locate: language === "typescript" ? originalColumn : inSource };

  function originalColumn(line: number, column: number): Position | undefined {
    return inSource(line, columnBeforeStrip(typed, line, column));
  }
}

type Locate = Program["locate"];

/** Positions in the text around the source are those of its end. */
function within(source: string, locate: (line: number, column: number) => Position): Locate {
  const lines = source.split("\n");
  return (line, column) => {
    const position = locate(line, column);
    if (position.line < 1) return undefined;
    const last = lines[lines.length - 1] ?? "";
    return position.line > lines.length ? { line: lines.length, column: last.length + 1 } : position;
  };
}

function withoutTypes(source: string, locate: Locate): string {
  try {
    return stripTypes(source);
  } catch (error) {
    const { loc } = error as { loc?: Position };
    const message = messageOf(error).replace(/^.*?: | \(\d+:\d+\)$/g, "");
    throw new SourceError(message, loc === undefined ? undefined : locate(loc.line, loc.column));
  }
}
