import { type Data, fieldOf, firstOf, namesOf, scriptOf } from "../data/data.ts";

/** What the expressions of a node can read. */
export interface Scope {
  /** The data that arrives: one entry for each line from another step. */
  current: readonly Data[];
  /** The data of another node, or why it cannot be read here. */
  node: (name: string, which?: "item" | "list") => Data | string;
  /** The step id of another node, for its status. */
  stepId: (name: string) => string | undefined;
  isInLoop: boolean;
  /** Of several lines that lead to the node, one brings data in a run. */
  isExclusive: boolean;
  /** Of the file; undefined when n8n used that of its server. */
  timezone: string | undefined;
  /** `$runIndex`; undefined where it cannot be read. */
  runIndex: string | undefined;
}

export interface Accessor {
  end: number;
  /** Several for a node that several lines lead to: the branch that ran has a value. */
  values: readonly Data[];
  note?: string | undefined;
  /** A list that is always there. */
  isComplete?: boolean;
}

type Read = Accessor | { end: number; failed: string } | undefined;

const QUOTED = String.raw`(["'\`])((?:(?!\1)[^\\]){1,300})\1`;
const OF_ITEM = String.raw`\s*\.\s*(item|first\(\)|last\(\)|itemMatching\([^()]{0,60}\)|pairedItem\([^()]{0,60}\)|all\(\)\s*\[\s*\d+\s*\])`;
const JSON_FIELD = String.raw`\s*\??\.\s*json(?![\w$])`;
const sticky = (pattern: string): RegExp => new RegExp(pattern, "y");
const CURRENT = sticky(String.raw`\$json(?![\w$])`);
const INPUT_ITEM = sticky(String.raw`\$input${OF_ITEM}${JSON_FIELD}`);
const INPUT_ALL = sticky(String.raw`\$input\s*\.\s*all\(\)`);
const NODE = sticky(
  String.raw`(?:\$item\([^()]{0,60}\)\s*\.\s*)?\$node\s*\[\s*${QUOTED}\s*\]\s*\.\s*(?:json|data)(?![\w$])`,
);
const NODE_NAME = sticky(String.raw`\$node\s*\.\s*([\w$]{1,300})\s*\.\s*(?:json|data)(?![\w$])`);
const CALL_ITEM = sticky(String.raw`\$\(\s*${QUOTED}\s*\)${OF_ITEM}${JSON_FIELD}`);
const CALL_ALL = sticky(
  String.raw`(?:\$\(\s*${QUOTED}\s*\)\s*\.\s*all\(\)|\$items\(\s*(["'\`])((?:(?!\3)[^\\]){1,300})\3[^()]{0,40}\)(?!\s*\[\s*\d+\s*\]\s*\.\s*json))`,
);
const CALL_ITEMS_AT = sticky(
  String.raw`\$items\(\s*${QUOTED}[^()]{0,40}\)\s*\[\s*(\d{1,6})\s*\]${JSON_FIELD}`,
);
const CALL_RAN = sticky(String.raw`\$\(\s*${QUOTED}\s*\)\s*\.\s*isExecuted(?![\w$])`);
const KEY = sticky(String.raw`\s*\??\.\s*([A-Za-z_$][\w$]*)(?!\s*\(|[\w$])`);
const BRACKET = sticky(String.raw`\s*(?:\?\.)?\s*\[\s*(?:${QUOTED}|(\d{1,6}))\s*\]`);

/** Reads `$json.a.b`, `$node["X"].json.a`, `$("X").item.json.a` and their like, with the path that follows. */
export function readAccessor(text: string, start: number, scope: Scope): Read {
  const head = readHead(text, start, scope);
  if (head === undefined || "failed" in head) return head;
  if (head.isComplete) return head;
  const { keys, end } = readKeys(text, head.end);
  return { ...head, end, values: head.values.map((data) => fieldOf(data, keys)) };
}

type Head = Accessor | { end: number; failed: string } | undefined;

function readHead(text: string, start: number, scope: Scope): Head {
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = start;
    return pattern.exec(text);
  };
  let found: RegExpExecArray | null;
  if ((found = match(CURRENT)) !== null) return withFirst(start + found[0].length, scope.current);
  if ((found = match(INPUT_ITEM)) !== null)
    return pick(start + found[0].length, scope.current, found[1] ?? "");
  if ((found = match(INPUT_ALL)) !== null) return asItems(start + found[0].length, scope.current);
  if ((found = match(NODE)) !== null) return ofNode(start + found[0].length, found[2] ?? "", "item", scope);
  if ((found = match(NODE_NAME)) !== null)
    return ofNode(start + found[0].length, found[1] ?? "", "item", scope);
  if ((found = match(CALL_ITEM)) !== null)
    return ofNode(start + found[0].length, found[2] ?? "", found[3] ?? "", scope);
  if ((found = match(CALL_ITEMS_AT)) !== null)
    return ofNode(start + found[0].length, found[2] ?? "", `all()[${found[3]}]`, scope);
  if ((found = match(CALL_ALL)) !== null) {
    const end = start + found[0].length;
    const data = scope.node(found[2] ?? found[4] ?? "", "list");
    return typeof data === "string" ? { end, failed: data } : asItems(end, [data]);
  }
  if ((found = match(CALL_RAN)) !== null) {
    const end = start + found[0].length;
    const stepId = scope.stepId(found[2] ?? "");
    if (stepId === undefined) return { end, failed: `"${found[2]}" is not a step here` };
    const script = `(steps[${JSON.stringify(stepId)}].status === "completed")`;
    return { end, values: [{ path: [], script, shape: "one", exact: true }], isComplete: true };
  }
  return undefined;
}

function ofNode(end: number, name: string, which: string, scope: Scope): Head {
  const data = scope.node(name, /^(?:item|paired)/.test(which) ? "item" : "list");
  return typeof data === "string" ? { end, failed: data } : pick(end, [data], which);
}

function pick(end: number, values: readonly Data[], which: string): Head {
  if (which.startsWith("item")) return withFirst(end, values);
  if (which.startsWith("last"))
    return {
      end,
      values: values.map((data) =>
        data.shape === "one"
          ? data
          : { ...data, path: [], script: `${scriptOf(data)}?.at(-1)`, shape: "one" },
      ),
    };
  const index = Number(/\d+/.exec(which)?.[0] ?? 0);
  return {
    end,
    values: values.map((data) =>
      data.shape === "one" || which.startsWith("paired") || which.startsWith("first") || index === 0
        ? firstOf(data)
        : { ...fieldOf(data, [index]), shape: "one" },
    ),
  };
}

function withFirst(end: number, values: readonly Data[]): Accessor {
  const lists = values.filter(({ shape }) => shape === "list");
  const note =
    lists.length === 0
      ? undefined
      : `Reads the first item of ${namesOf(lists) || "the list"}. n8n reads the one that belongs to the current item.`;
  return { end, values: values.map(firstOf), note };
}

/** `$input.all()`: n8n's items are `{json}`. */
function asItems(end: number, values: readonly Data[]): Head {
  const lists = values.map(scriptOf).join(", ");
  const only = values.length === 1 && values[0]?.shape === "list" ? lists : `[${lists}].flat()`;
  const script = `${only}.map((json) => ({ json }))`;
  return {
    end,
    values: [
      {
        path: [],
        script,
        shape: "one",
        exact: values.every(({ exact }) => exact),
        node: values.find(({ exact }) => !exact)?.node,
      },
    ],
    isComplete: true,
  };
}

function readKeys(text: string, start: number): { keys: (string | number)[]; end: number } {
  const keys: (string | number)[] = [];
  let end = start;
  for (;;) {
    KEY.lastIndex = end;
    const named = KEY.exec(text);
    BRACKET.lastIndex = end;
    const bracket = named === null ? BRACKET.exec(text) : null;
    if (named !== null) keys.push(named[1] ?? "");
    else if (bracket !== null) keys.push(bracket[3] === undefined ? (bracket[2] ?? "") : Number(bracket[3]));
    else return { keys, end };
    end += (named ?? bracket)?.[0].length ?? 0;
  }
}
