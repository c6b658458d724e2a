/** Without the given character at the end. A pattern such as `/0+$/` would take the square of the length. */
export function trimEndOf(text: string, char: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === char) end -= 1;
  return text.slice(0, end);
}
