/** Paths of fields, as n8n reads them: `a.b[0]`, or one name when dot notation is off. */
export function keysOf(path: string, isNested = true): string[] {
  if (!isNested) return [path];
  const dotted = path.replaceAll(/\[(?:"([^"\]]{0,200})"|'([^'\]]{0,200})'|([^\]]{0,200}))\]/g, ".$1$2$3");
  return dotted.split(".").filter((key) => key !== "");
}

const AT = "const at = (item, path) => path.reduce((inner, key) => inner?.[key], item);";
const json = (value: unknown): string => JSON.stringify(value);

export interface SortField {
  path: readonly string[];
  isDescending: boolean;
}

/** n8n compares text without regard to case, and fails when no item has the field. */
export function sortCode(items: string, fields: readonly SortField[]): string {
  const by = fields.map(({ path, isDescending }) => `[${json(path)}, ${isDescending ? -1 : 1}]`).join(", ");
  return [
    `const items = ${items};`,
    `const by = [${by}];`,
    AT,
    'const fold = (value) => (typeof value === "string" ? value.toLowerCase() : value);',
    "for (const [path] of by)",
    "  if (items.length > 0 && items.every((item) => at(item, path) === undefined))",
    '    throw new Error(`No item has the field ${path.join(".")}.`);',
    "return [...items].sort((a, b) => {",
    "  for (const [path, direction] of by) {",
    "    const [left, right] = [fold(at(a, path)), fold(at(b, path))];",
    "    if (JSON.stringify(left) !== JSON.stringify(right)) return left < right ? -direction : direction;",
    "  }",
    "  return 0;",
    "});",
  ].join("\n");
}

export function shuffleCode(items: string): string {
  return [
    `const ranked = ${items}.map((item) => [Math.random(), item]);`,
    "return ranked.sort(([a], [b]) => a - b).map(([, item]) => item);",
  ].join("\n");
}

export interface SplitField {
  path: readonly string[];
  name: string;
  /** An object becomes the row itself. */
  isRow: boolean;
}

/** One row for each entry; `others` are the fields of the item that rows keep. */
export function splitCode(
  items: string,
  fields: readonly SplitField[],
  others: "all" | "none" | readonly (readonly [name: string, path: readonly string[]])[],
): string {
  const added =
    others === "none"
      ? "row"
      : others === "all"
        ? "({ ...without(item), ...row })"
        : `({ ...row, ${others.map(([name, path]) => `[${json(name)}]: at(item, ${json(path)})`).join(", ")} })`;
  return [
    `const items = ${items};`,
    `const fields = ${json(fields)};`,
    AT,
    ...(others === "all"
      ? [
          "const without = (item) => {",
          "  const rest = JSON.parse(JSON.stringify(item));",
          "  for (const { path } of fields) {",
          "    const holder = at(rest, path.slice(0, -1));",
          '    if (typeof holder === "object" && holder !== null) delete holder[path.at(-1)];',
          "  }",
          "  return rest;",
          "};",
        ]
      : []),
    "return items.flatMap((item) => {",
    "  const rows = [];",
    "  for (const { path, name, isRow } of fields) {",
    "    const found = at(item, path);",
    '    const list = typeof found === "object" && found !== null ? Object.values(found) : found === undefined ? [] : [found];',
    "    for (const [index, entry] of list.entries()) {",
    '      const isObject = typeof entry === "object" && entry !== null;',
    "      rows[index] = { ...rows[index], ...(isRow && isObject ? entry : { [name]: entry }) };",
    "    }",
    "  }",
    `  return rows.map((row) => ${added});`,
    "});",
  ].join("\n");
}

export interface Aggregation {
  name: string;
  path: readonly string[];
  kind: string;
  includesEmpty: boolean;
  separator: string;
}

/** Groups and their values, with the names that n8n gives them. */
export function summarizeCode(
  items: string,
  aggregations: readonly Aggregation[],
  splits: readonly (readonly [name: string, path: readonly string[]])[],
  { isText, skipsEmpty }: { isText: boolean; skipsEmpty: boolean },
): string {
  return [
    `const items = ${items};`,
    `const aggregations = ${json(aggregations)};`,
    AT,
    'const isEmpty = (value) => value === undefined || value === null || value === "";',
    'const text = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));',
    "const functions = {",
    "  count: (list) => list.length,",
    "  countUnique: (list) => new Set(list).size,",
    '  sum: (list) => list.filter((value) => typeof value === "number").reduce((sum, value) => sum + value, 0),',
    "  average: (list) => {",
    '    const numbers = list.filter((value) => typeof value === "number");',
    "    return numbers.reduce((sum, value) => sum + value, 0) / numbers.length;",
    "  },",
    "  min: (list) => list.filter((value) => !isEmpty(value)).reduce((a, b) => (a === null || b < a ? b : a), null),",
    "  max: (list) => list.filter((value) => !isEmpty(value)).reduce((a, b) => (a === null || b > a ? b : a), null),",
    "  append: (list) => list,",
    "  concatenate: (list, { separator }) => list.map(text).join(separator),",
    "};",
    "const summary = (list) =>",
    "  Object.fromEntries(",
    "    aggregations.map((each) => {",
    "      const values = list.map((item) => at(item, each.path));",
    "      const kept = each.includesEmpty ? values : values.filter((value) => !isEmpty(value));",
    "      return [each.name, functions[each.kind](kept, each)];",
    "    }),",
    "  );",
    ...(splits.length === 0
      ? ["return summary(items);"]
      : [
          "const split = (list, [first, ...rest]) => {",
          "  if (first === undefined) return [summary(list)];",
          "  const [name, path] = first;",
          "  const groups = new Map();",
          "  for (const item of list) {",
          "    const found = at(item, path);",
          `    const value = ${isText ? "String(found)" : 'found && typeof found === "object" ? JSON.stringify(found) : found'};`,
          ...(skipsEmpty ? ['    if (typeof value !== "number" && !value) continue;'] : []),
          "    if (!groups.has(value)) groups.set(value, []);",
          "    groups.get(value).push(item);",
          "  }",
          "  return [...groups].flatMap(([value, inner]) => split(inner, rest).map((row) => ({ ...row, [name]: value })));",
          "};",
          `return split(items, ${json(splits)});`,
        ]),
  ].join("\n");
}
