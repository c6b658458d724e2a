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

const ROOT_WORDS: Record<string, string> = {
  input: "Input",
  item: "This item",
  index: "Item index",
  vars: "Variables",
  secrets: "Secrets",
  trigger: "Trigger",
  task: "Run",
  workflow: "Workflow",
  now: "Now",
};

/** A placeholder in words: the title of the step, then the path into its output: `The order › customer.name`. */
export function chipLabel(
  { root, path, stepId, source }: Reference,
  titles: ReadonlyMap<string, string>,
): string {
  const title = root === "steps" && stepId !== undefined ? (titles.get(stepId) ?? stepId) : ROOT_WORDS[root];
  if (title === undefined) return source;
  const inside = root !== "steps" ? path : path[1] === "output" ? path.slice(2) : path.slice(1);
  const words = inside.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("");
  return words === "" ? title : `${title} › ${words.replace(/^\./, "")}`;
}
