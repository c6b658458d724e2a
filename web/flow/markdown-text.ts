const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};
const MAX_CODE_POINT = 0x10ffff;

/** `&amp;` and numbers such as `&#39;`; others stay as written. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= MAX_CODE_POINT ? String.fromCodePoint(code) : whole;
  });
}

const LINK_PROTOCOLS = new Set(["http:", "https:", "mailto:"]);

/** A full web or email address. Undefined for anything else, such as `javascript:` and paths of this page. */
export function safeLink(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const { protocol, href: url } = new URL(href);
  return LINK_PROTOCOLS.has(protocol) ? url : undefined;
}

/** Lexing takes quadratic time in the worst case: a hostile text of this length takes two seconds. */
export const MAX_MARKDOWN_CHARACTERS = 20_000;

const MARKUP = /[*_`#[<|~&\\@]|https?:|www\.|^ *(?:[-+=]|\d+[.)])/m;

/** False when Markdown would show the text as it is, and also for a text that is too long for it. */
export function hasMarkup(text: string): boolean {
  return text.length <= MAX_MARKDOWN_CHARACTERS && MARKUP.test(text);
}

/** Signs that data and program text hardly ever has. */
const CLEAR =
  /\*\*[^\s*][^*\n]*\*\*|^ {0,3}```|\[[^\]\n]{1,200}\]\(https?:\/\/|^ {0,3}\|?[ :]*-{3,}[ :]*\|[-| :]*$/m;
/** Also in YAML, logs and shell scripts. */
const POSSIBLE = /^#{1,6} \S|^ {0,3}(?:[-*+]|\d{1,3}\.) \S/m;

/** `clear`: a person meant it as Markdown. `possible`: it may also be data. */
export function markdownSigns(text: string): "clear" | "possible" | "none" {
  if (!hasMarkup(text)) return "none";
  if (CLEAR.test(text)) return "clear";
  return POSSIBLE.test(text) ? "possible" : "none";
}
