import type { ImportResult, N8nNode, N8nRewrite } from "../../contract/n8n-import.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import type { Scope } from "./accessors.ts";
import { type Data, firstOf, namesOf, pathText, scriptOf } from "./data.ts";
import { escapeText, type Expression, type Part, placeholderOf, splitText } from "./expressions.ts";
import type { NodeFlow } from "./plan.ts";
import type { SourceNode } from "./source.ts";

/** The fields of the step, without its id, its name and what every step has. */
export type StepFields = { type: string } & Record<string, unknown>;

export interface Converted {
  /** Undefined when the node has no counterpart. */
  step: StepFields | undefined;
  /** Where in the output of the step the data is that n8n hands on. */
  output?: { path: readonly (string | number)[]; isExact: boolean };
  /** What an edge from this output of the node says; undefined for an edge without a condition. */
  branches?: (output: number) => Readonly<Record<string, unknown>> | undefined;
}

export interface NodeKind {
  flow: (node: SourceNode) => Partial<NodeFlow>;
  convert: (tools: Tools) => Converted;
}

/** What a converter of a node may use. Everything it converts is added to the report of the node. */
export interface Tools {
  node: SourceNode;
  parameters: Readonly<Record<string, unknown>>;
  scope: Scope;
  /** The same tools for a function that reads each item. */
  within: (current: readonly Data[]) => Tools;
  /** A parameter as a value of a step: expressions become placeholders, at any depth. */
  value: (given: unknown, field: string) => unknown;
  text: (given: unknown, field: string) => string;
  /** A parameter as JavaScript. */
  script: (given: unknown, field: string) => string;
  /** All items that arrive, for a field that takes a list. */
  items: () => unknown;
  itemsScript: () => string;
  /** The data that arrives, as one object. */
  current: () => unknown;
  currentScript: () => string;
  check: (note: string) => void;
  note: (note: string) => void;
  /** Code that was taken over, and what in it is unknown here. */
  code: (before: string, after: string, problems: readonly string[]) => void;
  /** The connection that a person chose for the node. */
  connection: (kind: string, app?: string) => string | undefined;
  /** The same, or an id that does not exist: the draft has a warning, and a run fails there until one is chosen. */
  requiredConnection: (kind: string) => string;
  app: (id: string) => void;
  partsOf: (kind: string) => readonly SourceNode[];
}

export interface NodeReport extends Omit<N8nNode, "becomes" | "note"> {
  notes: string[];
}

const MAX_DEPTH = 50;
const NO_CONNECTION = "conn_choose";
const MAX_SHOWN = 2000;

export function createTools(
  node: SourceNode,
  scope: Scope,
  report: NodeReport,
  { chosen, partsOf }: { chosen: string | undefined; partsOf: Tools["partsOf"] },
): Tools {
  function note(sentence: string): void {
    if (!report.notes.includes(sentence)) report.notes.push(sentence);
  }

  function check(sentence: string): void {
    report.result = worse(report.result, "check");
    note(sentence);
  }

  function connection(kind: string, app?: string): string | undefined {
    report.connection = {
      kind,
      ...(app !== undefined && { app }),
      ...(chosen !== undefined && { chosen }),
      ...(node.credential !== undefined && { credential: node.credential }),
    };
    return chosen;
  }

  function record(field: string, { source, path, script, result, note }: Expression): void {
    const after = path ?? script ?? source;
    if (report.expressions.length < 200)
      report.expressions.push({
        field,
        before: `{{ ${source} }}`.slice(0, MAX_SHOWN),
        after: (script === undefined ? "" : path === undefined ? `{{= ${after} }}` : `{{${after}}}`).slice(
          0,
          MAX_SHOWN,
        ),
        result,
        ...(note !== undefined && { note }),
      } satisfies N8nRewrite);
    if (result === "check") check(note ?? "Check the expressions.");
  }

  function partsOfText(text: string, field: string): Part[] {
    const parts = text.startsWith("=") ? splitText(text.slice(1), scope) : [text];
    for (const part of parts) if (typeof part !== "string") record(field, part);
    const expressions = parts.filter((part) => typeof part !== "string");
    // White space around a single expression is not part of its value.
    return expressions.length === 1 && parts.every((part) => typeof part !== "string" || part.trim() === "")
      ? expressions
      : parts;
  }

  const text = (given: unknown, field: string): string => {
    if (given === undefined || given === null) return "";
    if (typeof given !== "string") return typeof given === "object" ? JSON.stringify(given) : String(given);
    return partsOfText(given, field)
      .map((part) => (typeof part === "string" ? escapeText(part) : placeholderOf(part)))
      .join("");
  };

  function value(given: unknown, field: string, depth = 0): unknown {
    if (typeof given === "string") return text(given, field);
    if (depth > MAX_DEPTH || typeof given !== "object" || given === null)
      return depth > MAX_DEPTH ? null : given;
    if (Array.isArray(given)) return given.map((one, at) => value(one, `${field}.${at}`, depth + 1));
    return Object.fromEntries(
      Object.entries(given as Record<string, unknown>).map(([key, one]) => [
        key,
        value(one, `${field}.${key}`, depth + 1),
      ]),
    );
  }

  function script(given: unknown, field: string, depth = 0): string {
    if (typeof given === "string") return scriptOfParts(partsOfText(given, field));
    if (depth > MAX_DEPTH || given === undefined) return "undefined";
    if (Array.isArray(given))
      return `[${given.map((one, at) => script(one, `${field}.${at}`, depth + 1)).join(", ")}]`;
    if (!isRecord(given)) return JSON.stringify(given);
    const fields = Object.entries(given).map(
      ([key, one]) => `${keyText(key)}: ${script(one, `${field}.${key}`, depth + 1)}`,
    );
    return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
  }

  const arriving = scope.current;
  function checkList(): void {
    const unsure = arriving.filter(({ exact, shape }) => !exact && shape === "list");
    if (unsure.length > 0) check(`Check the items that arrive from ${namesOf(unsure) || "before"}.`);
  }
  const itemsScript = (): string => {
    checkList();
    const [only] = arriving;
    if (only === undefined) return "[]";
    if (arriving.length === 1 && only.shape === "list") return scriptOf(only);
    return `[${arriving.map(scriptOf).join(", ")}].flat().filter((each) => each != null)`;
  };
  const currentScript = (): string => {
    const scripts = [...new Set(arriving.map((data) => scriptOf(oneOf(data))))];
    return scripts.length > 1 ? `(${scripts.join(" ?? ")})` : (scripts[0] ?? "null");
  };
  function oneOf(data: Data): Data {
    if (data.shape === "list") check(`Takes the first item of ${namesOf([data]) || "the list"}.`);
    return firstOf(data);
  }

  return {
    node,
    parameters: node.parameters,
    scope,
    within: (current) => createTools(node, { ...scope, current }, report, { chosen, partsOf }),
    value,
    text,
    script,
    itemsScript,
    currentScript,
    items() {
      checkList();
      const [only] = arriving;
      const path = only === undefined || arriving.length > 1 ? undefined : pathText(only);
      if (only === undefined) return [];
      if (path === undefined) return `{{= ${itemsScript()} }}`;
      return only.shape === "list" ? `{{${path}}}` : [`{{${path}}}`];
    },
    current() {
      const [only] = arriving;
      if (only === undefined) return null;
      const path = arriving.length > 1 ? undefined : pathText(oneOf(only));
      return path === undefined ? `{{= ${currentScript()} }}` : `{{${path}}}`;
    },
    check,
    note,
    code(before, after, problems) {
      report.code = {
        field: "code",
        before,
        after,
        result: problems.length === 0 ? "ready" : "check",
        note: ["The code runs unchanged, below definitions of what n8n gives it.", ...problems].join(" "),
      };
      for (const problem of problems) check(problem);
      if (problems.length === 0) note("The code runs unchanged.");
    },
    connection,
    requiredConnection: (kind) => connection(kind) ?? NO_CONNECTION,
    app(id) {
      report.app = id;
    },
    partsOf,
  };
}

export function worse(one: ImportResult, other: ImportResult): ImportResult {
  const order = ["ready", "check", "unsupported"] as const;
  return order.indexOf(one) >= order.indexOf(other) ? one : other;
}

function scriptOfParts(parts: readonly Part[]): string {
  const [only] = parts;
  if (only === undefined) return '""';
  if (parts.length === 1) return typeof only === "string" ? JSON.stringify(only) : scriptOfPart(only);
  const inner = parts.map((part) =>
    typeof part === "string" ? part.replaceAll(/[`\\]|\$\{/g, String.raw`\$&`) : `\${${scriptOfPart(part)}}`,
  );
  return `\`${inner.join("")}\``;
}

function scriptOfPart({ script, source }: Expression): string {
  return script ?? JSON.stringify(`{{ ${source} }}`);
}

export function keyText(key: string): string {
  // Quoted, it would set the prototype of the object.
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}
