const UNITS: readonly (readonly [unit: string, ms: number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
  ["ms", 1],
];

const NAMES: Record<string, string> = {
  millisecond: "ms",
  sec: "s",
  second: "s",
  m: "min",
  minute: "min",
  hr: "h",
  hour: "h",
  day: "d",
};

/** Reads "30 s", "1 h 30 min" or "500ms" as milliseconds. A number alone counts in `unit`. */
export function parseDuration(text: string, unit: "ms" | "s"): number | undefined {
  const trimmed = text.trim().toLowerCase().replaceAll(",", ".");
  if (trimmed === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed) * msOf(unit);
  if (!/^(\d+(\.\d+)?\s*[a-z]+\s*)+$/.test(trimmed)) return undefined;
  let sum = 0;
  for (const [, amount, word = ""] of trimmed.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/g)) {
    const singular = word.replace(/(?<=..)s$/, "");
    const ms = msOf(NAMES[word] ?? NAMES[singular] ?? (word === "ms" ? word : singular));
    if (Number.isNaN(ms)) return undefined;
    sum += Number(amount) * ms;
  }
  return sum;
}

function msOf(unit: string): number {
  return UNITS.find(([name]) => name === unit)?.[1] ?? Number.NaN;
}

/** "1 h 30 min": the form in which `parseDuration` reads the same value. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return String(ms);
  let rest = ms;
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const amount = unit === "ms" ? rest : Math.floor(rest / size);
    if (amount > 0) parts.push(`${amount} ${unit}`);
    rest -= amount * size;
  }
  return parts.join(" ") || "0 s";
}
