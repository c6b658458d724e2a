import { parseSync } from "vite";

/** One small change of a source file that its tests should notice. */
export interface Mutant {
  start: number;
  end: number;
  replacement: string;
  line: number;
  description: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/** Boundaries move, equality and logic are inverted. */
const SWAPPED = new Map([
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
  ["===", "!=="],
  ["!==", "==="],
  ["+", "-"],
  ["-", "+"],
  ["&&", "||"],
  ["||", "&&"],
]);
const SWAPPED_METHODS = new Map([
  ["some", "every"],
  ["every", "some"],
]);
/** Types have no effect at run time, but these wrap an expression that has. */
const TYPED_EXPRESSIONS = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

export function mutantsOf(file: string, source: string): Mutant[] {
  const found: Mutant[] = [];
  visit(parseSync(file, source).program as unknown as Node);
  return found.toSorted((a, b) => a.start - b.start);

  function add(node: { start: number; end: number }, replacement: string): void {
    const { start, end } = node;
    const line = source.slice(0, start).split("\n").length;
    const before = source.slice(start, end).replaceAll(/\s+/g, " ");
    const description = `${before.slice(0, 70)} → ${replacement.slice(0, 70) || "removed"}`;
    found.push({ start, end, replacement, line, description });
  }

  function visit(node: Node): void {
    if (node.type.startsWith("TS") && !TYPED_EXPRESSIONS.has(node.type)) return;
    mutate(node);
    for (const child of Object.values(node).flat())
      if (typeof (child as Node | null)?.type === "string") visit(child as Node);
  }

  function mutate(node: Node): void {
    switch (node.type) {
      case "IfStatement":
      case "ConditionalExpression":
      case "WhileStatement":
        return negate(node["test"] as Node);
      case "BinaryExpression":
      case "LogicalExpression":
        return swapOperator(node);
      case "Literal":
        if (typeof node["value"] === "boolean") add(node, String(!node["value"]));
        return;
      case "ExpressionStatement":
        return removeCall(node);
      case "ThrowStatement":
        return add(node, ";");
      case "ReturnStatement":
        return returnNothing(node["argument"] as Node | null);
      case "ArrowFunctionExpression":
        if (node["expression"] === true) returnNothing(node["body"] as Node);
        return;
      case "MemberExpression":
        return swapMethod(node["property"] as Node);
      default:
    }
  }

  /** A comparison or a logical expression has its own mutant; to negate it as well would say the same twice. */
  function negate(test: Node): void {
    if (!SWAPPED.has(String(test["operator"]))) add(test, `!(${source.slice(test.start, test.end)})`);
  }

  function swapOperator(node: Node): void {
    const operator = String(node["operator"]);
    const swapped = SWAPPED.get(operator);
    if (swapped === undefined) return;
    const [left, right] = [node["left"] as Node, node["right"] as Node];
    const at = source.indexOf(operator, left.end);
    // `+` of texts is not a sum.
    if (
      operator === "+" &&
      [left, right].some(({ type, value }) => type === "TemplateLiteral" || typeof value === "string")
    )
      return;
    if (at < right.start) {
      add({ start: at, end: at + operator.length }, swapped);
      found.at(-1)!.description =
        `${source.slice(node.start, node.end).replaceAll(/\s+/g, " ").slice(0, 70)}: ${operator} → ${swapped}`;
    }
  }

  function removeCall(statement: Node): void {
    const { type, argument } = statement["expression"] as Node;
    const called = type === "AwaitExpression" || type === "UnaryExpression" ? (argument as Node).type : type;
    if (called === "CallExpression") add(statement, ";");
  }

  function returnNothing(value: Node | null): void {
    const isNothing = value?.type === "Identifier" && value["name"] === "undefined";
    if (value === null || value.type === "Literal" || isNothing) return;
    add(value, "undefined");
  }

  function swapMethod(property: Node): void {
    const swapped = SWAPPED_METHODS.get(String(property["name"]));
    if (swapped !== undefined) add(property, swapped);
  }
}
