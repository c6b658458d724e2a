import type { JsonValue } from "./json-value.ts";
import { EXPRESSION_ROOT, type Reference } from "./reference.ts";
import { scanText } from "./scan-text.ts";

/** Deeper values are rejected when saved, so that code that walks a field cannot overflow the stack. */
export const maxTemplateDepth = 200;

export type TemplateNode =
  | { kind: "literal"; value: JsonValue }
  | { kind: "value"; reference: Reference }
  | { kind: "text"; parts: (string | Reference)[] }
  | { kind: "array"; items: TemplateNode[] }
  | { kind: "object"; entries: [string, TemplateNode][] };

export interface TemplateProblem {
  /** The path within the value, such as `body.items[0]`; empty for the value itself. */
  path: string;
  message: string;
}

/** A value whose placeholders are parsed once, so that rendering only fills them in. */
export interface Template {
  node: TemplateNode;
  /** In order of appearance; a repeated spelling is listed once. */
  references: Reference[];
  /** The JavaScript of each `{{= }}`, in order of appearance; a repeated one is listed once. */
  expressions: string[];
  problems: TemplateProblem[];
}

interface Compilation {
  path: (string | number)[];
  references: Map<string, Reference>;
  problems: TemplateProblem[];
}

/** `literalKeys` are top-level keys of an object whose values are not parsed. */
export function compileTemplate(value: JsonValue, literalKeys?: ReadonlySet<string>): Template {
  const compilation: Compilation = { path: [], references: new Map(), problems: [] };
  const node = compileNode(value, compilation, literalKeys);
  const references = [...compilation.references.values()];
  return { node, references, expressions: expressionsOf(references), problems: compilation.problems };
}

const none: string[] = [];

function expressionsOf(references: readonly Reference[]): string[] {
  const found = references.filter(({ root }) => root === EXPRESSION_ROOT);
  return found.length === 0 ? none : found.map(({ path }) => String(path[0]));
}

function compileNode(
  value: JsonValue,
  compilation: Compilation,
  literalKeys?: ReadonlySet<string>,
): TemplateNode {
  if (typeof value === "string") return compileText(value, compilation);
  if (typeof value !== "object" || value === null) return { kind: "literal", value };
  if (compilation.path.length >= maxTemplateDepth) {
    report(compilation, `the value is nested deeper than ${maxTemplateDepth} levels. Make it flatter.`);
    return { kind: "literal", value };
  }
  return Array.isArray(value)
    ? compileArray(value, compilation)
    : compileObject(value, compilation, literalKeys);
}

// A subtree without placeholders is shared with the original: a large constant body costs nothing at run time.
function compileArray(value: JsonValue[], compilation: Compilation): TemplateNode {
  let changed = false;
  const items = value.map((item, index) => {
    const node = compileChild(item, index, compilation);
    changed ||= !isOriginal(node, item);
    return node;
  });
  return changed ? { kind: "array", items } : { kind: "literal", value };
}

function compileObject(
  value: { [key: string]: JsonValue },
  compilation: Compilation,
  literalKeys?: ReadonlySet<string>,
): TemplateNode {
  let changed = false;
  const entries = Object.keys(value).map((key): [string, TemplateNode] => {
    const child = value[key] as JsonValue;
    if (literalKeys?.has(key)) return [key, { kind: "literal", value: child }];
    const node = compileChild(child, key, compilation);
    changed ||= !isOriginal(node, child);
    return [key, node];
  });
  return changed ? { kind: "object", entries } : { kind: "literal", value };
}

/** A literal can differ from its source text: escapes in it are resolved. */
function isOriginal(node: TemplateNode, original: JsonValue): boolean {
  return node.kind === "literal" && node.value === original;
}

function compileChild(value: JsonValue, key: string | number, compilation: Compilation): TemplateNode {
  compilation.path.push(key);
  const node = compileNode(value, compilation);
  compilation.path.pop();
  return node;
}

function compileText(text: string, compilation: Compilation): TemplateNode {
  if (!text.includes("{{")) return { kind: "literal", value: text };
  const { parts, problem } = scanText(text);
  if (problem !== undefined) report(compilation, problem);
  for (const [index, part] of parts.entries()) {
    if (typeof part === "string") continue;
    // A placeholder that occurs ten thousand times is one object.
    const known = compilation.references.get(part.source);
    if (known === undefined) compilation.references.set(part.source, part);
    else parts[index] = known;
  }
  const [only] = parts;
  if (parts.length > 1 || only === undefined) return { kind: "text", parts };
  return typeof only === "string" ? { kind: "literal", value: only } : { kind: "value", reference: only };
}

function report(compilation: Compilation, message: string): void {
  const path = compilation.path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? key : `.${key}`))
    .join("");
  compilation.problems.push({ path, message });
}
