import { addStep, type Draft, type Planning, type Product, subjectOf } from "./draft.ts";
import { literalsIn, unmarked } from "./literals.ts";
import { camelCase } from "./words.ts";

/** Sums, counts and similar need no model: an expression over earlier outputs. */
export function readShaping(text: string, draft: Draft, planning: Planning): boolean {
  const subject = subjectOf(text, draft);
  const [only] = subject;
  if (/^(?:combin|merg|join)/i.test(text)) {
    const products = subject.length > 1 ? subject : draft.products.slice(-2);
    if (products.length === 0) return false;
    const template = Object.fromEntries(
      products.map((product, index) => [keyOf(product, index, products), product.placeholder]),
    );
    addStep(draft, planning, {
      id: "combine",
      type: "transform",
      fields: { template },
      gives: { form: "data", nouns: ["combination", "result"] },
    });
    return true;
  }
  const expression =
    only === undefined || only.form === "text" ? undefined : expressionOf(text, pathOf(only));
  if (expression === undefined) return false;
  const [id = "compute"] = text.toLowerCase().match(/^[a-z]+/) ?? [];
  const nouns = [{ count: "count", sum: "sum", total: "total" }[id] ?? "result", "number", "list", "result"];
  addStep(draft, planning, { id, type: "transform", fields: { expression }, gives: { form: "data", nouns } });
  return true;
}

function expressionOf(text: string, path: string): string | undefined {
  const field = /\bby\s+(?:the\s+)?([\w\s]+?)(?:\s+(?:descending|ascending|in\b.*))?$/i.exec(text)?.[1];
  if (/^count\b/i.test(text)) return `$count(${path})`;
  if (/^(?:sum|total)\b/i.test(text)) {
    const summed = /^\w+\s+(?:up\s+)?(?:all\s+)?(?:the\s+)?(\w+)/i.exec(text)?.[1];
    return summed === undefined ? undefined : `$sum(${path}.${camelCase([summed])})`;
  }
  if (/^sort\b/i.test(text) && field !== undefined)
    return `${path}^(${/\bdescend|\bhighest|\bnewest|\blargest/i.test(text) ? ">" : "<"}${camelCase(field.split(/\s+/))})`;
  const kept =
    /^(?:filter|keep)\b.*?\b(?:where|with|whose|having)\s+(?:the\s+|an?\s+)?(\w+)\s+(?:is\s+|=\s*|equals\s+)?(\w+)$/i.exec(
      text,
    );
  return kept === null ? undefined : `${path}[${kept[1]}=${JSON.stringify(kept[2])}]`;
}

/** `{{steps.fetch-2.output}}` → steps.`fetch-2`.output */
function pathOf({ placeholder }: Product): string {
  return placeholder
    .replaceAll(/[{}\s]/g, "")
    .split(".")
    .map((name) => (/^\w+$/.test(name) ? name : `\`${name}\``))
    .join(".");
}

function keyOf({ nouns, placeholder }: Product, index: number, all: readonly Product[]): string {
  const noun = nouns[0] ?? "";
  const isAlone = all.filter((other) => other.nouns[0] === noun).length === 1;
  return noun !== "" && isAlone ? noun : (/steps\.([\w-]+)/.exec(placeholder)?.[1] ?? `part${index + 1}`);
}

/** "Run the workflow …" and "call the … tool of the MCP server at …". */
export function readCallOut(text: string, draft: Draft, planning: Planning): boolean {
  const [url] = literalsIn(text, "url", planning.literals);
  if (/\bmcp\b/i.test(text) && url !== undefined) {
    const tool =
      literalsIn(text, "quote", planning.literals)[0] ?? /\b([\w-]+)\s+tool\b/i.exec(text)?.[1] ?? "run";
    addStep(draft, planning, {
      id: tool,
      type: "mcp",
      fields: { url, tool, arguments: {} },
      gives: { form: "data", nouns: ["result"] },
    });
    return true;
  }
  const workflow =
    /^(?:run|start|call|execute|trigger|invoke)\s+(?:the\s+|my\s+|our\s+)?(?:(.*?)\s+)?(?:sub-?)?workflow\b\s*(.*)$/i.exec(
      text,
    );
  if (workflow === null) return false;
  const name = unmarked(`${workflow[1] ?? ""} ${workflow[2] ?? ""}`, planning.literals).trim();
  const id = /\bwf_\w+/.exec(name)?.[0];
  const variable = camelCase([
    ...name
      .replaceAll('"', "")
      .split(/\s+/)
      .filter((word) => !/^(?:called|named|with|it|another|the|on)$/i.test(word))
      .slice(0, 4),
    "workflow",
  ]);
  if (id === undefined)
    planning.notices.push({
      code: "needs_variable",
      message: `Set the variable ${variable} to the id of the workflow to run.`,
    });
  addStep(draft, planning, {
    id: "run-workflow",
    type: "workflow",
    fields: {
      workflowId: id ?? `{{vars.${variable}}}`,
      input: subjectOf("", draft)[0]?.placeholder ?? "{{input}}",
    },
    gives: { form: "data", nouns: ["result", "output"] },
  });
  return true;
}
