export interface ParsedJson {
  value: unknown;
  error?: string;
}

/** Parses JSON that a user is typing. Empty text is `{}`. */
export function parseJson(text: string): ParsedJson {
  if (text.trim() === "") return { value: {} };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { value: undefined, error: "This is not valid JSON. Put names and strings in double quotes." };
  }
}
