import type { Step } from "../../../contract/graph.ts";

const MAX_PARAMETERS = 20_000;
const MAX_DEPTH = 50;

/** A disabled step that keeps what a node without a counterpart had, as comments. Credentials are not among it. */
export function placeholderStep(
  stepId: string,
  { name, type, parameters }: { name: string; type: string; parameters: unknown },
): Step {
  const text = JSON.stringify(beginning(parameters), null, 2).slice(0, MAX_PARAMETERS);
  const lines = [`n8n node: ${name} (${type})`, "Parameters:", ...text.split("\n")];
  // Line separators of Unicode would end a comment.
  const code = [
    ...lines.map((line) => `// ${line.replaceAll(/[\r\n\u2028\u2029]/g, " ")}`),
    "return null;",
  ].join("\n");
  return { stepId, type: "code", name, code, disabled: true };
}

/** The first values of a large one: to write all of it and then cut it would block the event loop. */
function beginning(given: unknown): unknown {
  let left = MAX_PARAMETERS;
  function copy(value: unknown, depth: number): unknown {
    left -= 1;
    if (typeof value === "string") {
      const text = value.slice(0, Math.max(left, 0));
      left -= text.length;
      return text;
    }
    if (typeof value !== "object" || value === null) return value;
    if (depth > MAX_DEPTH) return null;
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      for (const one of value) {
        if (left <= 0) break;
        list.push(copy(one, depth + 1));
      }
      return list;
    }
    const entries: [string, unknown][] = [];
    for (const key in value) {
      if (left <= 0) break;
      left -= key.length;
      entries.push([key, copy((value as Record<string, unknown>)[key], depth + 1)]);
    }
    return Object.fromEntries(entries);
  }
  return copy(given, 0);
}
