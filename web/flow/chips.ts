import { readPlaceholder, type Reference } from "../../contract/placeholders/reference.ts";

/** A placeholder in a text, from `start` to before `end`: shown as one thing, and deleted as one. */
export interface Chip {
  start: number;
  end: number;
  reference: Reference;
}

/** The same rules as in a run: `\{{` is two braces, and in a row of braces the last two open. */
export function findChips(text: string): Chip[] {
  const chips: Chip[] = [];
  let at = 0;
  for (;;) {
    let open = text.indexOf("{{", at);
    if (open < 0) return chips;
    if (text.charAt(open - 1) === "\\") {
      at = open + 2;
      continue;
    }
    while (text.charAt(open + 2) === "{") open += 1;
    const read = readPlaceholder(text, open + 2);
    if (read.reference === undefined) at = Math.max(read.failedAt, open + 2);
    else {
      chips.push({ start: open, end: read.end, reference: read.reference });
      at = read.end;
    }
  }
}

/** What a person reads on it: the step by its title, then the way into its output. */
export function chipLabel(
  { root, path, stepId, source }: Reference,
  titles: ReadonlyMap<string, string>,
): string {
  if (root !== "steps" || stepId === undefined) return source;
  const [, part, ...rest] = path;
  const inside = part === "output" ? rest : path.slice(1);
  const title = titles.get(stepId) ?? stepId;
  return inside.length === 0 ? title : `${title} › ${inside.join(" › ")}`;
}

export interface EditedText {
  text: string;
  caret: number;
}

export interface TextRange {
  start: number;
  end: number;
}

export function replaceRange(text: string, { start, end }: TextRange, insert: string): EditedText {
  return { text: text.slice(0, start) + insert + text.slice(end), caret: start + insert.length };
}

/** Where Backspace (-1) or Delete (1) would break a placeholder apart, it takes the whole of it. */
export function chipAtCaret(text: string, caret: number, side: -1 | 1): Chip | undefined {
  return findChips(text).find(({ start, end }) => (side === -1 ? end === caret : start === caret));
}
