/**
 * URLs, file names and quotations contain dots, commas and words that look like instructions. They are replaced by marks
 * before the text is parsed: `«3»` is the fourth literal.
 */
export type LiteralKind = "url" | "email" | "quote" | "file";

export interface Literal {
  kind: LiteralKind;
  value: string;
}

export interface MarkedText {
  text: string;
  literals: readonly Literal[];
}

const MARK = /«(\d+)»/g;
const KNOWN_ENDINGS = "com|org|net|io|dev|ai|co|app|gov|edu|de|uk|eu|info|me";
const FILE_ENDINGS =
  "txt|json|jsonl|csv|tsv|md|html?|xml|ya?ml|log|pdf|docx?|xlsx?|png|jpe?g|gif|svg|zip|sql|ini|toml";

/** Each starts at a word boundary and has a bounded length, to avoid quadratic matching on long input. */
const PATTERNS: [LiteralKind, RegExp][] = [
  ["url", /https?:\/\/[^\s"'“”‘’<>]+/gi],
  ["quote", /"([^"\n]{1,500})"|“([^”\n]{1,500})”|‘([^’\n]{1,500})’|(?<![\w«])'([^'\n]{1,500})'(?!\w)/g],
  ["email", /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g],
  [
    "file",
    new RegExp(
      `(?<![\\w./~{}-])(?:[\\w.~-]{0,80}/){0,20}[\\w{}.-]{0,100}[\\w}-]\\.(?:${FILE_ENDINGS})\\b(?!/)`,
      "gi",
    ),
  ],
  [
    "url",
    new RegExp(`(?<![\\w.-])(?:[a-z0-9-]{1,63}\\.){1,8}(?:${KNOWN_ENDINGS})\\b(?:/[^\\s"'<>]*)?`, "gi"),
  ],
];

export function markLiterals(prompt: string): MarkedText {
  const literals: Literal[] = [];
  let text = prompt.replaceAll(/[«»]/g, '"');
  for (const [kind, pattern] of PATTERNS) {
    text = text.replaceAll(pattern, (match: string, ...groups: unknown[]) => {
      const inner = groups.slice(0, 4).find((group) => typeof group === "string" && kind === "quote");
      const [, value = match, rest = ""] =
        kind === "quote" ? ["", inner as string] : (/^(.*?)([.,;:!?)\]]*)$/s.exec(match) ?? []);
      literals.push({ kind, value: unmarked(value, literals) });
      return `«${literals.length - 1}»${rest}`;
    });
  }
  return { text: collapsed(text), literals };
}

/** The patterns of the planner backtrack over white space: a prompt of 4,000 spaces took minutes. */
function collapsed(text: string): string {
  return text.replaceAll(/\s+/g, (space) => (space.includes("\n") ? "\n" : " "));
}

/** The original text, with quotation marks around quotations. */
export function unmarked(text: string, literals: readonly Literal[]): string {
  return text.replaceAll(MARK, (mark, index: string) => {
    const literal = literals[Number(index)];
    if (literal === undefined) return mark;
    return literal.kind === "quote" ? `"${literal.value}"` : literal.value;
  });
}

/** The literals of one kind in a text, in order. */
export function literalsIn(text: string, kind: LiteralKind, literals: readonly Literal[]): string[] {
  return [...text.matchAll(MARK)].flatMap(([, index]) => {
    const literal = literals[Number(index)];
    return literal?.kind === kind ? [literal.value] : [];
  });
}
