/** Headers as people paste them: `Name: value`, one per line. */
export function readHeaders(text: string): { headers?: Record<string, string>; error?: string } {
  const headers: Record<string, string> = {};
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [, name, value] = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return { error: "Write each header as Name: value." };
    headers[name] = value;
  }
  return { headers };
}
