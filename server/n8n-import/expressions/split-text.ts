import { scanScript } from "../../../contract/placeholders/script.ts";
import type { Scope } from "./accessors.ts";
import { convertExpression, type Expression, type Part } from "./expressions.ts";

/** Text of n8n with `{{ }}` in it, without its leading `=`. */
export function splitText(text: string, scope: Scope): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf("{{", at);
    if (open < 0) break;
    const scanned = scanScript(text, open + 2);
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
