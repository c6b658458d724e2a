import { traitsOf } from "../../contract/steps/catalogue.ts";
import { pathSegment } from "./pickable-values.ts";

/** Renames `steps.<from>` to `steps.<to>` in every string inside a value, at any depth. */
export function renameReferences(value: unknown, from: string, to: string, isCode = false): unknown {
  if (typeof value === "string") return renameInText(value, from, to, isCode);
  if (Array.isArray(value)) return value.map((item) => renameReferences(item, from, to));
  if (typeof value === "object" && value !== null) {
    const { scriptField } = traitsOf((value as { type?: unknown }).type);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        renameReferences(item, from, to, key === scriptField),
      ]),
    );
  }
  return value;
}

const IDENTIFIER = /^[\p{L}_$][\p{L}\p{M}\p{N}_$]*$/u;

function renameInText(text: string, from: string, to: string, isCode: boolean): string {
  if (!text.includes("steps")) return text;
  const old = from.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  // In JavaScript a dash is a minus; in a placeholder the quoted name means the same.
  const isScript = isCode || text.includes("{{=");
  const next = isScript && !IDENTIFIER.test(to) ? `[${JSON.stringify(to)}]` : pathSegment(to);
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
