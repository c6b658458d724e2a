/** The entries of a comma-separated field. */
export function splitCommas(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}
