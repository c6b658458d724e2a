import { readPlaceholder } from "../../contract/placeholders/reference.ts";

const NAME = /^[\p{L}_$][\p{L}\p{M}\p{N}_$]*$/u;

/** A path of placeholders as JavaScript: `steps.get-order.output` → `steps["get-order"].output`. */
export function asScript(path: string): string {
  const { reference } = readPlaceholder(`${path}}}`, 0);
  if (reference === undefined) return path;
  const keys = reference.path.map((key) => {
    if (typeof key === "number") return `[${key}]`;
    return NAME.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  });
  return reference.root + keys.join("");
}
