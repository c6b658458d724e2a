/** A term of the index, with what reports and questions call it. */
export interface NamedTerm {
  term: string;
  names: RegExp;
}

/** The terms that a text names, each with its names there, and the rest of the text. */
export function takeNames<T extends NamedTerm>(
  text: string,
  terms: readonly T[],
): { found: (T & { words: string })[]; rest: string } {
  let rest = text;
  const found = terms.flatMap((each) => {
    const words = rest.match(each.names)?.join(" ");
    if (words === undefined) return [];
    rest = rest.replace(each.names, " ");
    return [{ ...each, words }];
  });
  return { found, rest };
}
