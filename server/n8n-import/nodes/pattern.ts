/** A regular expression that the file has, with or without slashes. */
export interface Pattern {
  source: string;
  flags: string;
  /** The same for RE2; undefined for what RE2 does not have or reads in another way. */
  re2: string | undefined;
}

const LITERAL = /^\/(.+)\/([dgimsuvy]{0,8})$/s;
/** Lookaround, references, named groups, classes of other engines and escapes by code. */
const NOT_RE2 = /\(\?(?![:)])|\\(?:[1-9kucpPxsS]|$)|\[\^?\]|\[\[/;
const MAX_PATTERN = 500;

/** Undefined for an expression, whose pattern is known only in a run. */
export function patternOf(value: unknown): Pattern | undefined {
  if (typeof value !== "string" || value === "" || value.startsWith("=")) return undefined;
  const found = LITERAL.exec(value);
  const source = found?.[1] ?? value;
  const flags = (found?.[2] ?? "").replaceAll(/[gy]/g, "");
  const isPlain = !NOT_RE2.test(source) && source.length <= MAX_PATTERN && /^i?$/.test(flags);
  return { source, flags, re2: isPlain ? `${flags === "i" ? "(?i)" : ""}${source}` : undefined };
}
