import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { inTurns } from "../lib/in-turns.ts";
import { parseJsonInParts } from "../lib/parted-json.ts";

/** Code that walks a value recursively would overflow the stack. */
const MAX_DEPTH = 200;

/**
 * The JSON in a model's output, parsed in turns of the event loop; undefined if there is none. Models that are asked for
 * JSON only still add a code fence or a sentence.
 */
export async function readJsonAnswer(text: string): Promise<JsonValue | undefined> {
  for (const candidate of [text, insideFence(text), betweenBraces(text)]) {
    if (candidate === undefined) continue;
    try {
      return await inTurns(
        parseJsonInParts(candidate.trim(), { maxDepth: MAX_DEPTH, reviver: withoutProto }),
      );
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
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

/** `{"__proto__": …}` is an own key after parsing and becomes a prototype when the object is copied, so it is dropped. */
function withoutProto(key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value;
}
