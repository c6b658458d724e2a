import type { JsonValue } from "./json-value.ts";
import { EXPRESSION_ROOT, type Reference } from "./reference.ts";
import { scanText } from "./scan-text.ts";

/** Deeper values are rejected when saved, so that code that walks a field cannot overflow the stack. */
export const maxTemplateDepth = 200;

/** More help nobody, and the path of each takes time. */
const MAX_PROBLEMS = 1000;

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
  maxPlaceholders: number;
  /** How many more are read. */
  left: number;
}

/**
 * `literalKeys` are top-level keys of an object whose values are not parsed. More than `maxPlaceholders` are a problem:
 * the rest is not parsed.
 */
export function compileTemplate(
  value: JsonValue,
  literalKeys?: ReadonlySet<string>,
  maxPlaceholders = Number.POSITIVE_INFINITY,
): Template {
  const compilation: Compilation = {
    path: [],
    references: new Map(),
    problems: [],
    maxPlaceholders,
    left: maxPlaceholders + 1,
  };
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
  if (typeof value !== "object" || value === null) return literalOf(value);
  if (compilation.path.length >= maxTemplateDepth) {
    report(compilation, `the value is nested deeper than ${maxTemplateDepth} levels. Make it flatter.`);
    return literalOf(value);
  }
  return Array.isArray(value)
    ? compileArray(value, compilation)
    : compileObject(value, compilation, literalKeys);
}

// A subtree without placeholders is shared with the original: a large constant body costs nothing at run time.
function compileArray(value: JsonValue[], compilation: Compilation): TemplateNode {
  let items: TemplateNode[] | undefined;
  for (let index = 0; index < value.length; index += 1) {
    const item = value[index]!;
    const node = isConstant(item) ? undefined : compileChild(item, index, compilation);
    if (node !== undefined && !isOriginal(node, item)) items ??= value.slice(0, index).map(literalOf);
    items?.push(node ?? literalOf(item));
  }
  return items === undefined ? literalOf(value) : { kind: "array", items };
}

function compileObject(
  value: { [key: string]: JsonValue },
  compilation: Compilation,
  literalKeys?: ReadonlySet<string>,
): TemplateNode {
  let changed = false;
  const entries = Object.keys(value).map((key): [string, TemplateNode] => {
    const child = value[key] as JsonValue;
    if (isConstant(child) || literalKeys?.has(key)) return [key, literalOf(child)];
    const node = compileChild(child, key, compilation);
    changed ||= !isOriginal(node, child);
    return [key, node];
  });
  return changed ? { kind: "object", entries } : literalOf(value);
}

function literalOf(value: JsonValue): TemplateNode {
  return { kind: "literal", value };
}

/** Known without a look at its members: most values of a large list are. */
function isConstant(value: JsonValue): boolean {
  return typeof value === "string" ? !value.includes("{{") : typeof value !== "object" || value === null;
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
  if (compilation.left === 0 || !text.includes("{{")) return literalOf(text);
  const { parts, problem, opened } = scanText(text, compilation.left);
  if (problem !== undefined) report(compilation, problem);
  compilation.left -= opened;
  if (compilation.left === 0)
    report(
      compilation,
      `a step has more than ${compilation.maxPlaceholders} placeholders. Split it into several steps.`,
    );
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
  if (compilation.problems.length >= MAX_PROBLEMS) return;
  const path = compilation.path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? key : `.${key}`))
    .join("");
  compilation.problems.push({ path, message });
}
