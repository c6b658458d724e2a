import { scanScript } from "../../../contract/placeholders/script.ts";
import type { Scope } from "./accessors.ts";
import { convertExpression, type Expression, type Part } from "./expressions.ts";

/** A longer text is not split: reading it would block the event loop. */
export const MAX_TEXT = 100_000;
/** Expressions with open brackets in one text: each of them is read to the end of the text. */
const MAX_UNBALANCED = 10;

/** Text of n8n with `{{ }}` in it, without its leading `=`. */
export function splitText(text: string, scope: Scope): Part[] {
  const parts: Part[] = [];
  let at = 0;
  let unbalanced = 0;
  for (;;) {
    const open = text.indexOf("{{", at);
    if (open < 0) break;
    const scanned = unbalanced < MAX_UNBALANCED ? scanScript(text, open + 2) : -1;
    if (scanned < 0) unbalanced += 1;
    const close = scanned < 0 ? text.indexOf("}}", open + 2) : scanned;
    if (close < 0) break;
    if (open > at) parts.push(text.slice(at, open));
    parts.push(convertExpression(text.slice(open + 2, close), scope));
    at = close + 2;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

export function placeholderOf({ source, script, path }: Expression): string {
  if (path !== undefined) return `{{${path}}}`;
  return script === undefined ? escapeText(`{{ ${source} }}`) : `{{= ${script} }}`;
}

/** Braces of a text that is no expression in n8n. */
export function escapeText(text: string): string {
  return text.replaceAll(/\\?\{\{/g, String.raw`\{{`);
}

/** The entries of a text with commas. One inside of an expression separates nothing. */
export function splitList(text: string): string[] {
  const entries: string[] = [];
  let start = 0;
  let close = 0;
  for (let at = 0; at < text.length; at++) {
    if (close >= 0 && text.startsWith("{{", at)) {
      close = text.indexOf("}}", at + 2);
      if (close >= 0) at = close + 1;
    } else if (text.charAt(at) === ",") {
      entries.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...entries, text.slice(start)];
}
