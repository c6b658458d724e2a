import type { JsonValue } from "../../contract/placeholders/json-value.ts";

const MAX_DEPTH = 200;
const OPENING = new Set(["{", "["]);
const CLOSING = new Set(["}", "]"]);

/**
 * The value of JSON text from outside, or undefined when it is none, or none that may travel on: everything
 * behind walks a value recursively, so depth is bounded, and a `__proto__` key would turn a careless copy into
 * another kind of object.
 */
export function parseJsonText(text: string): JsonValue | undefined {
  if (isDeep(text)) return undefined;
  let holdsProto = false;
  try {
    // The reviver costs a call a key, so it is used only where such a key can be (it may be spelled \u005f…).
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
