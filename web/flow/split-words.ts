/** Words separated by spaces, commas or line breaks. */
export function splitWords(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}
