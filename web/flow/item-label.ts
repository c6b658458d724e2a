const MAX_LENGTH = 40;
/** Fields by which people know a record, best first. */
const NAMES = ["name", "title", "sku", "number", "email", "id", "key", "url"];

/** A few words that tell one item of a list from the others. */
export function itemLabel(item: unknown): string {
  if (typeof item === "string" || typeof item === "number" || typeof item === "boolean")
    return cut(String(item));
  if (typeof item !== "object" || item === null || Array.isArray(item)) return "";
  const entries = Object.entries(item);
  const value =
    NAMES.map((name) => entries.find(([key]) => key.toLowerCase() === name)?.[1]).find(isPlain) ??
    entries.find(([key, each]) => key.toLowerCase().endsWith("id") && isPlain(each))?.[1] ??
    entries.find(([, each]) => isPlain(each))?.[1];
  return isPlain(value) ? cut(String(value)) : "";
}

/** The input of a run in a few words. */
export function inputLabel(input: unknown): string {
  const json = JSON.stringify(input ?? {});
  return itemLabel(input) || (json === "{}" ? "none" : cut(json));
}

function isPlain(value: unknown): value is string | number {
  return (typeof value === "string" && value !== "") || typeof value === "number";
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
