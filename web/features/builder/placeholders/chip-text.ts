import { chipLabel, findChips, type TextRange } from "../../../flow/chips.ts";

/**
 * Text with chips in an element that a person edits. The text is the truth; what stands in the element is made from
 * it and read back from it. A caret cannot stand between two chips or behind the last one unless there is text, so
 * an invisible letter stands there, which is never read back.
 */
const CARET_ANCHOR = "\u200b";

function textOf(node: Node): string {
  if (!(node instanceof HTMLElement)) return (node.textContent ?? "").replaceAll(CARET_ANCHOR, "");
  // At the end it is what the browser puts into an element that was emptied.
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
  // A line break at the very end would not show without something behind it.
  if (rest !== "" || nodes.length > 0)
    nodes.push(new Text(rest === "" || rest.endsWith("\n") ? rest + CARET_ANCHOR : rest));
  root.replaceChildren(...nodes);
}

/** False after an edit of the browser's that left a chip without a place for the caret, or text that should be one. */
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

/** Where the selection stands in the text; what touches a chip covers it whole. */
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
  let left = caret;
  for (const child of root.childNodes) {
    const { length } = textOf(child);
    if (child instanceof Text && left <= length)
      return getSelection()?.collapse(child, rawOffset(child.data, left)) ?? undefined;
    left = Math.max(left - length, 0);
  }
  getSelection()?.selectAllChildren(root);
  getSelection()?.collapseToEnd();
}

/** The place in a text node after so many of its visible letters, and behind a leading invisible one. */
function rawOffset(data: string, visible: number): number {
  let at = 0;
  for (let seen = 0; at < data.length; at += 1) {
    if (data.charAt(at) === CARET_ANCHOR) continue;
    if (seen === visible) break;
    seen += 1;
  }
  return at;
}
