import { SHIFT } from "../expressions/expressions.ts";
import { readTime, readsZone, ZONE_NOTE } from "../expressions/time.ts";
import { type Data, doubtAbout, scriptOf } from "../data/data.ts";
import { numberOf, textOf } from "../source/parameters.ts";
import type { SourceNode } from "../source/source.ts";
import { isRedacted } from "../../security/redact-request.ts";
import { ONLY_IN_N8N, redactedNote } from "../triggers/trigger-data.ts";
import { keyText } from "./parameter-values.ts";
import { returnsOneItem } from "./returned-item.ts";
import { type Converted, type NodeContext, type NodeKind } from "./node-context.ts";
import { unknownNames } from "./code-names.ts";

const NODE_NAMES = /\$(?:\(|node\s*\[|items\()\s*(["'`])((?:(?!\1)[^\\]){1,300})\1/g;
const MAX_CODE = 100_000;

const isEach = ({ kind, parameters }: SourceNode): boolean =>
  kind === "functionItem" || parameters["mode"] === "runOnceForEachItem";
const sourceOf = ({ parameters }: SourceNode): string =>
  textOf(parameters["jsCode"] ?? parameters["functionCode"]);

/**
 * The code runs unchanged, below definitions of what n8n gives it: items are `{json}`. Rewriting what it does with them
 * would be a guess.
 */
function code(context: NodeContext): Converted {
  const { node, parameters, scope } = context;
  const language = textOf(parameters["language"]);
  const original = sourceOf(node);
  if ((language !== "" && language !== "javaScript") || original.length > MAX_CODE || original === "")
    return { step: undefined };
  const each = isEach(node);
  const uses = (name: string): boolean => original.includes(name);
  const lines = [
    "// What n8n gives its code: items with their fields in `json`.",
    "const toItems = (value) => [value].flat().filter((each) => each != null).map((json) => ({ json }));",
    `const items = toItems(${scope.current.length > 1 ? context.itemsScript() : (scope.current.map(scriptOf)[0] ?? "input")});`,
  ];
  const one = each || returnsOneItem(original);
  // n8n does not run a node that no items arrive at.
  if (!one && scope.current.some(({ shape }) => shape === "list"))
    lines.push("if (items.length === 0) return [];");
  if (uses("$input"))
    lines.push(
      "const $input = { all: () => items, first: () => items[0], last: () => items.at(-1), item: items[0] };",
    );
  if (uses("$json")) lines.push("const $json = items[0]?.json ?? {};");
  if (/(?<![\w$.])item(?![\w$])/.test(original) && node.kind === "functionItem")
    lines.push("const data = items[0]?.json ?? {};");
  for (const name of ["$now", "$today"])
    if (uses(name)) lines.push(`const ${name} = ${readTime(name, scope.timezone)?.script};`);
  if (uses("$itemIndex")) lines.push(`const $itemIndex = ${scope.isInLoop && each ? "index" : "0"};`);
  if (uses("$runIndex")) lines.push(`const $runIndex = ${scope.runIndex ?? "0"};`);
  if (uses("$execution")) lines.push("const $execution = { id: task.id };");
  if (uses("$workflow")) lines.push("const $workflow = { id: workflow.id, name: workflow.name };");
  lines.push(...variables(original), ...otherNodes(context, original));
  const body = node.kind === "functionItem" ? `const item = data;\n${original}` : original;
  if (node.kind === "functionItem" && !lines.some((line) => line.startsWith("const data =")))
    lines.push("const data = items[0]?.json ?? {};");
  lines.push(
    "const run = async () => {",
    body,
    "};",
    "const result = await run();",
    'const toFields = (entry) => (entry && typeof entry === "object" && "json" in entry ? entry.json : entry);',
    one
      ? "return toFields([result].flat()[0]);"
      : "return [result].flat().filter((each) => each != null).map(toFields);",
  );
  const after = lines.join("\n");
  context.code(original, after, problemsOf(context, original));
  return { step: { type: "code", code: after } };
}

function problemsOf({ scope, node }: NodeContext, code: string): string[] {
  const unknown = unknownNames(code).slice(0, 5).join(", ");
  const doubt = doubtAbout(scope.current);
  const isPaired = isEach(node) && otherNodeNames(code).some((name) => isList(scope.node(name)));
  const hasOwnSteps = /(?<![\w$.])steps(?![\w$])/.test(code);
  return [
    ...(unknown === "" ? [] : [`Replace what does not exist in code here: ${unknown}.`]),
    ...(hasOwnSteps ? ["Rename the variable steps: it is the name of the earlier steps here."] : []),
    ...(doubt === undefined ? [] : [doubt]),
    ...new Set(
      [...scope.current, ...otherNodeNames(code).map((name) => scope.node(name))].flatMap((data) =>
        typeof data === "string" ? [] : (doubtOfStep(data) ?? []),
      ),
    ),
    ...(scope.current.some(({ doubtOf }) => doubtOf !== undefined) ? webhookDoubts(code) : []),
    ...(scope.timezone === undefined && readsZone(code) ? [ZONE_NOTE] : []),
    ...(scope.runIndex === undefined && code.includes("$runIndex")
      ? ["$runIndex counts the batches of another loop."]
      : []),
    ...(code.search(SHIFT) < 0 ? [] : ["Write .plus({ days: 1 }): n8n also takes a number and a unit."]),
    ...(isPaired
      ? ["It reads the first item of another node. n8n reads the one that belongs to the current item."]
      : []),
  ];
}

const HEADER = /(?:headers|query)\s*(?:\?\.)?\s*[.[]\s*["'`]?([\w-]{1,100})/g;

/** What the code reads of a webhook and a run has not here. */
function webhookDoubts(code: string): string[] {
  const left = ONLY_IN_N8N.filter((name) => new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(code));
  const redacted = [...code.matchAll(HEADER)].map(([, name = ""]) => name).filter(isRedacted);
  return [
    ...(left.length === 0 ? [] : [`A webhook has no ${left.join(", ")} here.`]),
    ...[...new Set(redacted)].slice(0, 3).map(redactedNote),
  ];
}

/** What a step lacks of its data in n8n: a full response has a status there. */
const doubtOfStep = ({ path, doubtOf }: Data): string | undefined =>
  path[0] === "steps" ? doubtOf?.([]) : undefined;

const isList = (data: Data | string): boolean => typeof data === "object" && data.shape === "list";

function otherNodeNames(code: string): string[] {
  return [...new Set([...code.matchAll(NODE_NAMES)].map(([, , name = ""]) => name))].slice(0, 100);
}

function variables(code: string): string[] {
  return ["$vars", "$env"].flatMap((root) => {
    if (!code.includes(root)) return [];
    const names = new Set(
      [...code.matchAll(/\$(?:vars|env)(?:\.([\w$]+)|\[["']([^"'\\]{1,100})["']\])/g)].map(
        ([, a, b]) => a ?? b ?? "",
      ),
    );
    return [
      `const ${root} = { ${[...names].map((name) => `${keyText(name)}: vars[${JSON.stringify(name)}]`).join(", ")} };`,
    ];
  });
}

function otherNodes({ scope, check }: NodeContext, code: string): string[] {
  const names = otherNodeNames(code);
  if (!/\$(?:\(|node\b|items\()/.test(code)) return [];
  const entries = names.flatMap((name) => {
    const data = scope.node(name);
    if (typeof data === "string") {
      check(`The code reads “${name.slice(0, 60)}”: ${data}.`);
      return [];
    }
    return [`${JSON.stringify(name)}: toItems(${scriptOf(data)})`];
  });
  return [
    `const nodes = new Map(Object.entries({ ${entries.join(", ")} }));`,
    ...(code.includes("$(")
      ? [
          "const $ = (name) => ({ all: () => nodes.get(name) ?? [], first: () => nodes.get(name)?.[0], last: () => nodes.get(name)?.at(-1), item: nodes.get(name)?.[0] });",
        ]
      : []),
    ...(code.includes("$items(") ? ["const $items = (name) => nodes.get(name) ?? [];"] : []),
    ...(/\$node\b/.test(code)
      ? [
          "const $node = Object.fromEntries([...nodes].map(([name, list]) => [name, list[0] ?? { json: {} }]));",
        ]
      : []),
  ];
}

const flow: NodeKind["flow"] = (node) => ({
  takes: isEach(node) ? "item" : "all",
  gives: isEach(node) || returnsOneItem(sourceOf(node)) ? "one" : "list",
});

/** Hashes and random values are in no step; what has a short counterpart is an expression. */
function crypto(context: NodeContext): Converted {
  const { parameters } = context;
  if (textOf(parameters["action"]) !== "generate") return { step: undefined };
  const length = numberOf(parameters["stringLength"]) ?? 32;
  const name = textOf(parameters["dataPropertyName"]) || "data";
  context.check("A random text of letters and digits, not for secrets.");
  return {
    step: {
      type: "transform",
      template: `{{= ({ ...${context.currentScript()}, ${keyText(name)}: Array.from({ length: ${length} }, () => Math.floor(Math.random() * 36).toString(36)).join("") }) }}`,
    },
  };
}

export const codeNodes: Readonly<Record<string, NodeKind>> = {
  code: { flow, convert: code },
  function: { flow, convert: code },
  functionItem: { flow, convert: code },
  crypto: { flow: () => ({ takes: "item" }), convert: crypto },
};
