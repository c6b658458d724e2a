export interface SqlToken {
  kind: "quoted" | "comment" | "parameter";
  start: number;
  end: number;
  /** Only for a parameter. */
  name?: string;
}

const STARTS = /['"`$:]|--|\/\*/g;
const PARAMETER = /:([A-Za-z_]\w*)/y;
const DOLLAR_TAG = /\$\w*\$/y;

/**
 * Texts, quoted names, dollar quotes, comments, and `:name`. `::` is a cast. A quote or comment without an end is plain
 * text. Looks at each character a few times at most, because the text is not trusted: every search for an end either moves
 * on to that end, or is not repeated.
 */
export function* sqlTokens(query: string): Generator<SqlToken> {
  /** Delimiters that do not occur again. */
  const missing = new Set<string>();
  let lastTags: Map<string, number> | undefined;

  function endAfter(close: string, from: number): number {
    if (missing.has(close)) return -1;
    const end = close === "'" ? closingQuote(query, from) : query.indexOf(close, from);
    if (end === -1) missing.add(close);
    return end === -1 ? -1 : end + close.length;
  }

  function tokenAt(start: number, opening: string): SqlToken | undefined {
    if (opening === "--") return { kind: "comment", start, end: lineEnd(query, start) };
    if (opening === ":") {
      const name = matchAt(PARAMETER, query, start)?.[1];
      return name === undefined
        ? undefined
        : { kind: "parameter", start, end: start + 1 + name.length, name };
    }
    let close = opening === "/*" ? "*/" : opening;
    let from = start + opening.length;
    if (opening === "$") {
      const tag = matchAt(DOLLAR_TAG, query, start)?.[0];
      lastTags ??= lastDollarTags(query);
      if (tag === undefined || lastTags.get(tag)! < start + tag.length) return undefined;
      close = tag;
      from = start + tag.length;
    }
    const end = endAfter(close, from);
    return end === -1 ? undefined : { kind: opening === "/*" ? "comment" : "quoted", start, end };
  }

  for (let at = 0; ;) {
    STARTS.lastIndex = at;
    const found = STARTS.exec(query);
    if (found === null) return;
    const [opening] = found;
    const token = tokenAt(found.index, opening);
    at = token?.end ?? found.index + (query.startsWith("::", found.index) ? 2 : 1);
    if (token !== undefined) yield token;
  }
}

/** The first word of a statement, in lower case, after spaces and comments. */
export function firstWord(query: string): string {
  let at = 0;
  for (;;) {
    at = matchAt(/\s*/y, query, at)![0].length + at;
    if (query.startsWith("--", at)) at = lineEnd(query, at);
    else if (query.startsWith("/*", at)) {
      const end = query.indexOf("*/", at + 2);
      if (end === -1) return "";
      at = end + 2;
    } else return (matchAt(/\w+/y, query, at)?.[0] ?? "").toLowerCase();
  }
}

/** A doubled quote ends one text and starts the next, which is as good here. */
function closingQuote(query: string, from: number): number {
  for (let at = from; at < query.length; at++) {
    if (query[at] === "'") return at;
    if (query[at] === "\\") at++;
  }
  return -1;
}

function lastDollarTags(query: string): Map<string, number> {
  const last = new Map<string, number>();
  for (let at = query.indexOf("$"); at !== -1; at = query.indexOf("$", at + 1)) {
    const tag = matchAt(DOLLAR_TAG, query, at)?.[0];
    if (tag !== undefined) last.set(tag, at);
  }
  return last;
}

function lineEnd(query: string, from: number): number {
  const end = query.indexOf("\n", from);
  return end === -1 ? query.length : end;
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}
