import { MAX_EXPOSED_NAME } from "../../contract/exposures.ts";

/** "Café report" → "cafe-report": a tool or model name of letters, digits, - and _. */
export function toExposedName(text: string, fallback: string): string {
  const name = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "-")
    .slice(0, MAX_EXPOSED_NAME)
    .replaceAll(/^[-_]+|[-_]+$/g, "");
  return name === "" ? fallback : name;
}

/** The name, or the first of `name-2`, `name-3` … that is free. */
export function firstFreeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) {
    const suffix = `-${number}`;
    free = `${name.slice(0, MAX_EXPOSED_NAME - suffix.length)}${suffix}`;
  }
  return free;
}
