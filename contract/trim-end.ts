/** Removes a character from the end of a text. A pattern such as `/0+$/` takes quadratic time. */
export function trimEndOf(text: string, char: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === char) end -= 1;
  return text.slice(0, end);
}
