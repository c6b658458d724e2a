import type { JsonValue } from "../../contract/placeholders/json-value.ts";

const MAX_DEPTH = 200;
const OPENING = new Set(["{", "["]);
const CLOSING = new Set(["}", "]"]);

/**
 * The value of untrusted JSON text, or undefined if it is invalid or too deep: later code walks values recursively and
 * would overflow the stack. A `__proto__` key is dropped, because a copy of the object would change its prototype.
 */
export function parseJsonText(text: string): JsonValue | undefined {
  if (isDeep(text)) return undefined;
  let holdsProto = false;
  try {
    // The reviver costs one call per key, so it runs only if the text may contain such a key (also as \u005f…).
    if (!text.includes("__proto__") && !text.includes("\\u005")) return JSON.parse(text) as JsonValue;
    const value = JSON.parse(text, (key, child: unknown) => {
      holdsProto ||= key === "__proto__";
      return child;
    }) as JsonValue;
    return holdsProto ? undefined : value;
  } catch {
    return undefined;
  }
}

function isDeep(text: string): boolean {
  if (text.length <= 2 * MAX_DEPTH) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (OPENING.has(char) && ++depth > MAX_DEPTH) return true;
    else if (CLOSING.has(char)) depth--;
  }
  return false;
}
