/** The kind of a JSON value, with the sign that stands for it in trees: `T` text, `#` number, `?` true or false. */
export type ValueKind = "text" | "number" | "boolean" | "object" | "list" | "empty";

export const kindSigns: Record<ValueKind, string> = {
  text: "T",
  number: "#",
  boolean: "?",
  object: "{}",
  list: "[]",
  empty: "∅",
};

export const kindWords: Record<ValueKind, string> = {
  text: "text",
  number: "number",
  boolean: "true or false",
  object: "object",
  list: "list",
  empty: "empty",
};

export function kindOfValue(value: unknown): ValueKind {
  if (value === null || value === undefined) return "empty";
  if (Array.isArray(value)) return "list";
  switch (typeof value) {
    case "string":
      return "text";
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    default:
      return "object";
  }
}

const MAX_SAMPLE_LENGTH = 80;

/** A value in one line: `3 items`, `4 fields`, or the start of its text. */
export function sampleText(value: unknown): string {
  if (value === null || value === undefined) return "empty";
  if (Array.isArray(value)) return count(value.length, "item");
  if (typeof value === "object") return count(Object.keys(value).length, "field");
  const text = String(value).replaceAll(/\s+/g, " ");
  return text.length > MAX_SAMPLE_LENGTH ? `${text.slice(0, MAX_SAMPLE_LENGTH)}…` : text;
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

/** A value as rows and columns; undefined for text, numbers and empty values, which have none. */
export interface ValueTable {
  columns: readonly string[];
  rows: readonly (readonly unknown[])[];
  /** Rows that are not shown. */
  hiddenRows: number;
}

/** A list of objects, which reads best as a table. */
export function isRowList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.slice(0, MAX_ROWS).every(isObject);
}

const MAX_ROWS = 100;
const MAX_COLUMNS = 30;

/** A list of objects is one row each, other lists are numbered, and an object is one row for each field. */
export function tableOf(value: unknown): ValueTable | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : tableOfList(value);
  if (typeof value !== "object" || value === null) return undefined;
  const entries = Object.entries(value);
  return {
    columns: ["Field", "Value"],
    rows: entries.slice(0, MAX_ROWS),
    hiddenRows: Math.max(entries.length - MAX_ROWS, 0),
  };
}

function tableOfList(list: readonly unknown[]): ValueTable {
  const shown = list.slice(0, MAX_ROWS);
  const hiddenRows = list.length - shown.length;
  if (!shown.every(isObject))
    return { columns: ["Item", "Value"], rows: shown.map((item, index) => [index + 1, item]), hiddenRows };
  const columns = [...new Set(shown.flatMap((item) => Object.keys(item)))].slice(0, MAX_COLUMNS);
  return { columns, rows: shown.map((item) => columns.map((column) => item[column])), hiddenRows };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return kindOfValue(value) === "object";
}

/** One field of the schema of a value. */
export interface SchemaField {
  name: string;
  depth: number;
  kinds: readonly ValueKind[];
  /** Some items of the list do not have the field. */
  optional: boolean;
}

const MAX_FIELDS = 300;
const MAX_DEPTH = 8;
const MAX_MERGED_ITEMS = 100;

/** The fields and kinds of a value. The items of a list are merged: `lines[]` is what all of them look like. */
export function schemaOf(value: unknown): SchemaField[] {
  const fields: SchemaField[] = [];
  function add(name: string, values: readonly unknown[], depth: number, optional: boolean): void {
    if (fields.length >= MAX_FIELDS) return;
    fields.push({ name, depth, kinds: [...new Set(values.map(kindOfValue))], optional });
    if (depth >= MAX_DEPTH) return;
    const lists = values.filter((entry) => Array.isArray(entry));
    const items = lists.flat(1).slice(0, MAX_MERGED_ITEMS) as unknown[];
    if (items.length > 0) add("[]", items, depth + 1, false);
    const objects = values.filter(isObject);
    const names = new Set(objects.flatMap((entry) => Object.keys(entry)));
    for (const key of names) {
      const present = objects.filter((entry) => Object.hasOwn(entry, key));
      add(
        key,
        present.map((entry) => entry[key]),
        depth + 1,
        present.length < objects.length,
      );
    }
  }
  add("", [value], 0, false);
  return fields;
}
