import { readPlaceholder, type Reference } from "../../contract/placeholders/reference.ts";

/** A placeholder in text, from `start` up to `end`. The editor shows and deletes it as one unit. */
interface Chip {
  start: number;
  end: number;
  reference: Reference;
}

/** Finds placeholders by the rules of a run: `\{{` is literal, and of `{{{` the last two braces open. */
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
    // Continues where reading failed, so hostile text such as "{{" repeated 100,000 times stays linear.
    const read = readPlaceholder(text, open + 2);
    if (read.reference === undefined) at = Math.max(read.failedAt, open + 2);
    else {
      chips.push({ start: open, end: read.end, reference: read.reference });
      at = read.end;
    }
  }
}

/** The title of the step, then the path into its output: `The order › customer`. */
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

/** The placeholder directly before (-1) or after (1) the caret, which Backspace or Delete removes as a whole. */
export function chipAtCaret(text: string, caret: number, side: -1 | 1): Chip | undefined {
  return findChips(text).find(({ start, end }) => (side === -1 ? end === caret : start === caret));
}
