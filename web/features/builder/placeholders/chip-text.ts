import { chipLabel, findChips, type TextRange } from "../../../flow/chips.ts";

/**
 * Converts between text with placeholders and the content of an editable element. The text is the source of truth.
 *
 * Browsers cannot place the caret between two chips or after the last one unless a text node is there. A zero-width
 * space keeps that node alive; reading the text back removes it.
 */
const CARET_ANCHOR = "\u200b";

function textOf(node: Node): string {
  if (!(node instanceof HTMLElement)) return (node.textContent ?? "").replaceAll(CARET_ANCHOR, "");
  // Browsers put a trailing <br> into an emptied element; it is not a line break.
  if (node.tagName === "BR") return node.nextSibling === null ? "" : "\n";
  return node.dataset["placeholder"] ?? readText(node);
}

export function readText(root: HTMLElement): string {
  return [...root.childNodes].map(textOf).join("");
}

export function renderText(root: HTMLElement, text: string, titles: ReadonlyMap<string, string>): void {
  const nodes: Node[] = [];
  let last = 0;
  for (const { start, end, reference } of findChips(text)) {
    nodes.push(new Text(text.slice(last, start) || CARET_ANCHOR));
    const chip = document.createElement("span");
    chip.className = "ph-chip";
    chip.contentEditable = "false";
    chip.dataset["placeholder"] = text.slice(start, end);
    chip.title = text.slice(start, end);
    chip.textContent = chipLabel(reference, titles);
    nodes.push(chip);
    last = end;
  }
  const rest = text.slice(last);
  // Browsers do not render a trailing line break unless a character follows it.
  if (rest !== "" || nodes.length > 0)
    nodes.push(new Text(rest === "" || rest.endsWith("\n") ? rest + CARET_ANCHOR : rest));
  root.replaceChildren(...nodes);
}

/** False if the browser left a chip without text next to it, or a placeholder that is not a chip. */
export function isNormalized(root: HTMLElement): boolean {
  const chips = [...root.children];
  return (
    chips.every(
      (chip) =>
        chip instanceof HTMLElement &&
        chip.dataset["placeholder"] !== undefined &&
        isText(chip.previousSibling) &&
        isText(chip.nextSibling),
    ) && findChips(readText(root)).length === chips.length
  );
}

function isText(node: Node | null): boolean {
  return node instanceof Text && node.data !== "";
}

/** The selection as offsets in the text. A selection that ends inside a chip covers the whole chip. */
export function selectedRange(root: HTMLElement): TextRange | undefined {
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  if (!root.contains(range.startContainer) || !root.contains(range.endContainer)) return undefined;
  return {
    start: offsetOf(root, range.startContainer, range.startOffset, "start"),
    end: offsetOf(root, range.endContainer, range.endOffset, "end"),
  };
}

function offsetOf(root: HTMLElement, container: Node, offset: number, side: "start" | "end"): number {
  let sum = 0;
  for (const [index, child] of [...root.childNodes].entries()) {
    if (container === root && index === offset) return sum;
    if (child.contains(container)) {
      if (child instanceof Text) return sum + child.data.slice(0, offset).replaceAll(CARET_ANCHOR, "").length;
      return side === "start" ? sum : sum + textOf(child).length;
    }
    sum += textOf(child).length;
  }
  return sum;
}

export function placeCaret(root: HTMLElement, caret: number): void {
  let remaining = caret;
  for (const child of root.childNodes) {
    const { length } = textOf(child);
    if (child instanceof Text && remaining <= length)
      return getSelection()?.collapse(child, rawOffset(child.data, remaining)) ?? undefined;
    remaining = Math.max(remaining - length, 0);
  }
  getSelection()?.selectAllChildren(root);
  getSelection()?.collapseToEnd();
}

/** The DOM offset after `visible` visible characters, after a leading caret anchor. */
function rawOffset(data: string, visible: number): number {
  let at = 0;
  for (let seen = 0; at < data.length; at += 1) {
    if (data.charAt(at) === CARET_ANCHOR) continue;
    if (seen === visible) break;
    seen += 1;
  }
  return at;
}
