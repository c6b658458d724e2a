export interface ReadJson {
  value: unknown;
  wrong?: string;
}

/** JSON that a person types: what it is, or a sentence about what it is not yet. */
export function readJson(text: string): ReadJson {
  if (text.trim() === "") return { value: {} };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { value: undefined, wrong: "This is no JSON yet. Names and texts stand in double quotes." };
  }
}
