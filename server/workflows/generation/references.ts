import { isRecord } from "../../../contract/placeholders/json-value.ts";

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const ROOTS = new Set(["input", "steps", "item", "index", "vars", "secrets", "task", "workflow", "now"]);

/** Rewrites references to renamed steps, and `{{fetch.output}}` to `{{steps.fetch.output}}`. */
export function renameReferences(value: unknown, newIds: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string")
    return value.replaceAll(PLACEHOLDER, (_match, path: string) => `{{${renamed(path.trim(), newIds)}}}`);
  if (Array.isArray(value)) return value.map((item) => renameReferences(item, newIds));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      typeof child !== "string" || (key !== "expression" && key !== "code")
        ? renameReferences(child, newIds)
        : key === "code"
          ? renamedCode(child, newIds)
          : renamedExpression(child, newIds),
    ]),
  );
}

function renamed(given: string, newIds: ReadonlyMap<string, string>): string {
  const path = given.replace(/^\$(?=\w)/, "");
  const quoted = /^steps\[["'](.+?)["']\](.*)$/s.exec(path);
  if (quoted) return inSteps(newIds.get(quoted[1] ?? "") ?? quoted[1] ?? "", quoted[2] ?? "");
  const isInSteps = path.startsWith("steps.");
  const rest = isInSteps ? path.slice("steps.".length) : path;
  // Longest id first: "fetch" must not match inside "fetch orders".
  const ids = [...newIds.keys()].sort((a, b) => b.length - a.length);
  const id = ids.find(
    (old) => rest === old || (rest.startsWith(old) && /^[.[]/.test(rest.slice(old.length))),
  );
  if (id === undefined || (!isInSteps && ROOTS.has(id))) return path;
  return inSteps(newIds.get(id) ?? id, rest.slice(id.length));
}

/** `{{steps.fetch}}` and `{{steps.fetch.result.total}}` refer to the output: a step has only output, status and error. */
function inSteps(id: string, rest: string): string {
  if (/^\.(?:output|status|error)\b/.test(rest)) return `steps.${id}${rest}`;
  return `steps.${id}.output${rest.replace(/^\.(?:result|response|data|text|body|content)\b/, "")}`;
}

function renamedExpression(expression: string, newIds: ReadonlyMap<string, string>): string {
  let text = expression;
  for (const [old, id] of newIds) {
    if (old === id || !/^[\w-]+$/.test(old)) continue;
    const name = /^\w+$/.test(id) ? id : `\`${id}\``;
    text = text.replaceAll(new RegExp(`\\bsteps\\.(?:\`${old}\`|${old}(?![\\w-]))`, "g"), `steps.${name}`);
  }
  return text;
}

function renamedCode(code: string, newIds: ReadonlyMap<string, string>): string {
  let text = code;
  for (const [old, id] of newIds) {
    if (old === id || !/^[\w-]+$/.test(old)) continue;
    const name = /^[A-Za-z_]\w*$/.test(id) ? `.${id}` : `["${id}"]`;
    text = text.replaceAll(
      new RegExp(`\\bsteps(?:\\.${old}(?![\\w-])|\\[["']${old}["']\\])`, "g"),
      `steps${name}`,
    );
  }
  return text;
}
