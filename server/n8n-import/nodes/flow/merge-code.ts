import type { FieldKeys } from "../../data/data.ts";

/** Which of two fields with one name is kept. */
export interface Clash {
  prefers: "first" | "last";
  /** Names get the number of their input: `name_1`. */
  hasSuffix: boolean;
  isDeep: boolean;
}

const json = (value: unknown): string => JSON.stringify(value);

/** Defines `merged(a, b)`, where the fields of b replace those of a. */
function mergeLines({ isDeep }: Clash): string[] {
  if (!isDeep) return ["const merged = (a, b) => ({ ...a, ...b });"];
  return [
    'const isObject = (value) => typeof value === "object" && value !== null;',
    "const merged = (a, b) => {",
    "  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return b === undefined ? a : b;",
    "  const all = Array.isArray(a) ? [...a] : { ...a };",
    "  for (const [key, value] of Object.entries(b)) all[key] = merged(all[key], value);",
    "  return all;",
    "};",
  ];
}

function suffixLines(clash: Clash): string[] {
  if (!clash.hasSuffix) return [];
  return [
    "const suffixed = (list, number) =>",
    "  list.map((item) => Object.fromEntries(Object.entries(item).map(([key, value]) => [`${key}_${number}`, value])));",
  ];
}

const listOf = (script: string, at: number, { hasSuffix }: Clash): string =>
  hasSuffix ? `suffixed(${script}, ${at + 1})` : script;

/** The first items together, the second ones … `length` is that of the result. */
export function positionCode(
  lists: readonly string[],
  { clash, preferred, length }: { clash: Clash; preferred: number; length: "min" | "max" | "first" },
): string {
  const count =
    length === "first" ? "lists[0].length" : `Math.${length}(...lists.map((list) => list.length))`;
  return [
    ...suffixLines(clash),
    ...mergeLines(clash),
    `const lists = [${lists.map((list, at) => listOf(list, at, clash)).join(", ")}];`,
    `const order = [...lists, lists[${preferred}]];`,
    `return Array.from({ length: ${count} }, (_, at) => order.reduce((all, list) => merged(all, list[at] ?? {}), {}));`,
  ].join("\n");
}

export function combinationsCode(first: string, second: string, clash: Clash): string {
  const pair = clash.prefers === "first" && !clash.hasSuffix ? "merged(b, a)" : "merged(a, b)";
  const [outer, inner] =
    clash.prefers === "first" && !clash.hasSuffix
      ? ["for (const b of second) for (const a of first)", pair]
      : ["for (const a of first) for (const b of second)", pair];
  return [
    ...suffixLines(clash),
    ...mergeLines(clash),
    `const first = ${listOf(first, 0, clash)};`,
    `const second = ${listOf(second, 1, clash)};`,
    "const rows = [];",
    `${outer} rows.push(${inner});`,
    "return rows;",
  ].join("\n");
}

export interface Join {
  /** The fields to compare: of the first input, and of the second. */
  fields: readonly (readonly [FieldKeys, FieldKeys])[];
  mode: "keepMatches" | "keepNonMatches" | "keepEverything" | "enrichInput1" | "enrichInput2";
  from: "both" | "input1" | "input2";
  isFirstOnly: boolean;
  clash: Clash;
}

/** n8n compares values with their types: 5 does not match "5". */
export function joinCode(first: string, second: string, join: Join): string {
  const { clash, fields, isFirstOnly } = join;
  return [
    ...suffixLines(clash),
    ...mergeLines(clash),
    `const [first, second] = [${first}, ${second}];`,
    `const fields = ${json(fields)};`,
    "const at = (item, path) => path.reduce((inner, key) => inner?.[key], item);",
    "const byKey = new Map();",
    "for (const [index, item] of second.entries()) {",
    "  const key = JSON.stringify(fields.map(([, path]) => at(item, path)));",
    "  if (!byKey.has(key)) byKey.set(key, []);",
    "  byKey.get(key).push(index);",
    "}",
    "const [pairs, matched, alone, used] = [[], [], [], new Set()];",
    "for (const item of first) {",
    "  const values = fields.map(([path]) => at(item, path));",
    "  const all = values.includes(undefined) ? [] : (byKey.get(JSON.stringify(values)) ?? []);",
    `  const found = ${isFirstOnly ? "all.slice(0, 1)" : "all"};`,
    "  (found.length > 0 ? matched : alone).push(item);",
    "  for (const index of found) {",
    "    used.add(index);",
    "    pairs.push([item, second[index]]);",
    "  }",
    "}",
    "const others = second.filter((_, index) => !used.has(index));",
    `return ${joined(join)};`,
  ].join("\n");
}

function joined({ mode, from, clash }: Join): string {
  const alone = clash.hasSuffix ? "...suffixed(alone, 1)" : "...alone";
  const others = clash.hasSuffix ? "...suffixed(others, 2)" : "...others";
  const both = clash.hasSuffix
    ? "pairs.map(([a, b]) => merged(suffixed([a], 1)[0], suffixed([b], 2)[0]))"
    : clash.prefers === "first"
      ? "pairs.map(([a, b]) => merged(b, a))"
      : "pairs.map(([a, b]) => merged(a, b))";
  const kept =
    from === "input1" ? "matched" : from === "input2" ? "second.filter((_, index) => used.has(index))" : both;
  switch (mode) {
    case "keepMatches":
      return kept;
    case "keepEverything":
      return `[...${kept}, ${alone}, ${others}]`;
    case "enrichInput1":
      return `[...${both}, ${alone}]`;
    case "enrichInput2":
      return `[...${both}, ${others}]`;
    case "keepNonMatches":
      if (from === "input1") return "alone";
      if (from === "input2") return "others";
      return '[...alone.map((item) => ({ ...item, _source: "input1" })), ...others.map((item) => ({ ...item, _source: "input2" }))]';
  }
}
