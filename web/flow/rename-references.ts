import { pathSegment } from "./pickable-values.ts";

/** Renames `steps.<from>` to `steps.<to>` in every string inside a value, at any depth. */
export function renameReferences(value: unknown, from: string, to: string): unknown {
  if (typeof value === "string") return renameInText(value, from, to);
  if (Array.isArray(value)) return value.map((item) => renameReferences(item, from, to));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, renameReferences(item, from, to)]),
    );
  return value;
}

function renameInText(text: string, from: string, to: string): string {
  if (!text.includes("steps")) return text;
  const old = from.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const next = pathSegment(to);
  return (
    text
      .replaceAll(
        new RegExp(String.raw`(?<![\p{L}\p{N}_$.-])steps\.${old}(?![\p{L}\p{M}\p{N}_$-])`, "gu"),
        () => `steps${next}`,
      )
      .replaceAll(
        new RegExp(String.raw`(?<![\p{L}\p{N}_$.-])steps\[\s*(["'])${old}\1\s*\]`, "gu"),
        () => `steps${next}`,
      )
      // JSONata quotes names with dashes in backticks.
      .replaceAll(new RegExp(`(?<![\\p{L}\\p{N}_$.-])steps\\.\`${old}\``, "gu"), () => `steps.\`${to}\``)
  );
}
