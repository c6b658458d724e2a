import type { ModelTool } from "../models/language-model.ts";

const MAX_LENGTH = 60;

/** Letters, digits and `_`, which every vendor accepts. */
export function slugOf(text: string, maxLength: number): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, maxLength);
}

/** A number distinguishes equal names. */
export function uniqueName(text: string, taken: readonly ModelTool[]): string {
  const slug = slugOf(text, MAX_LENGTH);
  const base = slug === "" ? "tool" : slug;
  let result = base;
  for (let n = 2; taken.some((tool) => tool.name === result); n++) result = `${base}_${n}`;
  return result;
}
