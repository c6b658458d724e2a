import type { JsonValue } from "../../contract/placeholders/json-value.ts";

const MAX_DEPTH = 200;

/**
 * The JSON in a model's output; undefined if there is none. Models that are asked for JSON only still add a code fence
 * or a sentence.
 */
export function readJsonAnswer(text: string): JsonValue | undefined {
  for (const candidate of [text, insideFence(text), betweenBraces(text)]) {
    if (candidate === undefined) continue;
    try {
      return harmless(JSON.parse(candidate.trim()) as JsonValue);
    } catch {
      continue;
    }
  }
  return undefined;
}

/** The lines of the first code block, that of JSON if there is one. Searched without a pattern, which would backtrack. */
function insideFence(text: string): string | undefined {
  const marked = text.search(/```json/i);
  const opening = text.indexOf("\n", marked === -1 ? text.indexOf("```") : marked);
  const closing = text.indexOf("```", opening);
  return opening === -1 || closing === -1 ? undefined : text.slice(opening, closing);
}

function betweenBraces(text: string): string | undefined {
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  return start === -1 || end <= start ? undefined : text.slice(start, end + 1);
}

/**
 * `{"__proto__": …}` is an own key after parsing and becomes a prototype when the object is copied, so it is dropped. A
 * value nested deeper than 200 is rejected: later code walks it recursively and would overflow the stack.
 */
function harmless(value: JsonValue, depth = 0): JsonValue {
  if (depth > MAX_DEPTH) throw new RangeError("nested too deep");
  if (Array.isArray(value)) return value.map((child) => harmless(child, depth + 1));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "__proto__")
      .map(([key, child]) => [key, harmless(child, depth + 1)]),
  );
}
