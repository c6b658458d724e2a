/** "the orders from …" → orders: later instructions refer to the fetched data by that noun. */
export function nounsIn(text: string): string[] {
  const found =
    /\b(?:the|a|an|all|my|our|latest|today's|current|list\s+of)\s+([\p{L}]+)(?:\s+([\p{L}]+))?(?=\s+(?:from|at|of|in|via|using|with|by|for|about|on|and|«)|$)/iu.exec(
      text,
    );
  const words = [found?.[1], found?.[2]]
    .filter((word) => word !== undefined)
    .map((word) => word.toLowerCase());
  return words.filter((word) => !/^(?:the|latest|list|current|new)$/.test(word));
}

export function camelCase(words: readonly string[]): string {
  return words
    .map((word) => word.toLowerCase().replaceAll(/[^a-z0-9]/g, ""))
    .filter(Boolean)
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("");
}

export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
