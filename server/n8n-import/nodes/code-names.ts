import { scanScript } from "../../../contract/placeholders/script.ts";

/** Names of n8n that are defined above its code, with the members that exist. */
const DEFINED: Readonly<Record<string, readonly string[] | undefined>> = {
  $: undefined,
  $input: ["all", "first", "last", "item"],
  $items: undefined,
  $json: undefined,
  $node: undefined,
  $now: undefined,
  $today: undefined,
  $vars: undefined,
  $env: undefined,
  $execution: ["id"],
  $workflow: ["id", "name"],
  $itemIndex: undefined,
  $runIndex: undefined,
};
/** Names of Node.js and n8n that the sandbox does not have. */
const MISSING = new Set([
  "require",
  "import",
  "fetch",
  "Buffer",
  "URL",
  "URLSearchParams",
  "TextEncoder",
  "TextDecoder",
  "AbortController",
  "FormData",
  "atob",
  "btoa",
  "crypto",
  "process",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "queueMicrotask",
  "structuredClone",
  "performance",
  "helpers",
  "getWorkflowStaticData",
  "getNodeParameter",
  "getBinaryDataBuffer",
]);
const MEMBER = /\s*\??\.\s*([A-Za-z_$][\w$]*)/y;
const OF_NODE = /\$\(\s*["'`][^"'`\\]{1,300}["'`]\s*\)\s*\??\.\s*([A-Za-z_$][\w$]*)/g;
const ITEM_MEMBERS = new Set(["all", "first", "last", "item", "isExecuted"]);

/** What code reads and the sandbox does not have, as it is written in the code. */
export function unknownNames(code: string): string[] {
  const found = new Set<string>();
  scanScript(code, 0, ({ word, end, previous }) => {
    const member = memberAt(code, end);
    if (previous === ".") {
      if (word === "binary" || word === "helpers") found.add(word);
      return;
    }
    const isKey = /^\s*:/.test(code.slice(end, end + 20)) && (previous === "{" || previous === ",");
    if (isKey) return;
    if (MISSING.has(word)) found.add(word);
    if (!word.startsWith("$")) return;
    if (!Object.hasOwn(DEFINED, word)) found.add(word);
    else if (member !== undefined && DEFINED[word]?.includes(member) === false)
      found.add(`${word}.${member}`);
  });
  for (const [, member = ""] of code.matchAll(OF_NODE))
    if (!ITEM_MEMBERS.has(member)) found.add(`$("…").${member}`);
  return [...found];
}

function memberAt(code: string, at: number): string | undefined {
  MEMBER.lastIndex = at;
  return MEMBER.exec(code)?.[1];
}
