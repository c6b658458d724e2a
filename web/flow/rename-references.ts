/** Every text inside a value, however deep, with `steps.<from>` renamed to `steps.<to>`; nothing else changes. */
export function renameReferences(value: unknown, from: string, to: string): unknown {
  if (typeof value === "string") return renameInText(value, from, to);
  if (Array.isArray(value)) return value.map((item) => renameReferences(item, from, to));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, renameReferences(item, from, to)]),
    );
  return value;
}

const PLAIN = /^[\p{L}\p{M}\p{N}_$-]+$/u;

function renameInText(text: string, from: string, to: string): string {
  if (!text.includes("steps")) return text;
  const old = from.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const next = PLAIN.test(to) ? `.${to}` : `[${JSON.stringify(to)}]`;
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
      // JSONata writes names with dashes in backticks.
      .replaceAll(new RegExp(`(?<![\\p{L}\\p{N}_$.-])steps\\.\`${old}\``, "gu"), () => `steps.\`${to}\``)
  );
}
