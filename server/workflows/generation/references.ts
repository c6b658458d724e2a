import { isRecord } from "../../../contract/placeholders/json-value.ts";

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
/** Ends at the last of several braces in a row: the expression may end with an object. */
const EXPRESSION = /\{\{=(.*?)\}\}(?!\})/gs;
const ROOTS = new Set(["input", "steps", "item", "index", "vars", "secrets", "task", "workflow", "now"]);

/** Rewrites references to renamed steps, and `{{fetch.output}}` to `{{steps.fetch.output}}`. */
export function renameReferences(value: unknown, newIds: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string")
    return value
      .replaceAll(EXPRESSION, (_match, code: string) => `{{=${renamedCode(code, newIds)}}}`)
      .replaceAll(PLACEHOLDER, (match, path: string) =>
        path.startsWith("=") ? match : `{{${renamed(path.trim(), newIds)}}}`,
      );
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

/** JSONata writes an id with other characters than letters, digits and `_` in backticks. */
function renamedExpression(expression: string, newIds: ReadonlyMap<string, string>): string {
  return renamedSteps(expression, newIds, "\\.(?:`(ID)`|(ID)(?![\\w-]))", (id) =>
    /^\w+$/.test(id) ? `.${id}` : `.\`${id}\``,
  );
}

function renamedCode(code: string, newIds: ReadonlyMap<string, string>): string {
  return renamedSteps(code, newIds, "(?:\\.(ID)(?![\\w-])|\\[[\"'](ID)[\"']\\])", (id) =>
    /^[A-Za-z_]\w*$/.test(id) ? `.${id}` : `["${id}"]`,
  );
}

/** In one pass: an id that is the old name of another step is not renamed twice. */
function renamedSteps(
  text: string,
  newIds: ReadonlyMap<string, string>,
  access: string,
  write: (id: string) => string,
): string {
  const ids = [...newIds.keys()].filter((old) => /^[\w-]+$/.test(old)).sort((a, b) => b.length - a.length);
  if (ids.length === 0) return text;
  const pattern = new RegExp(`\\bsteps${access.replaceAll("ID", ids.join("|"))}`, "g");
  return text.replaceAll(pattern, (match, one?: string, other?: string) => {
    const old = one ?? other ?? "";
    const id = newIds.get(old);
    return id === undefined || id === old ? match : `steps${write(id)}`;
  });
}
