/** Looked up with one query: a graph of two megabytes may have a hundred thousand names. */
const MAX_NAMES = 1000;

/** Those of the first thousand different names that `findKnown` does not return. */
export async function missingNames(
  names: Iterable<string>,
  findKnown: (names: readonly string[]) => Promise<Iterable<string>>,
): Promise<ReadonlySet<string>> {
  const missing = new Set([...new Set(names)].slice(0, MAX_NAMES));
  if (missing.size === 0) return missing;
  for (const name of await findKnown([...missing])) missing.delete(name);
  return missing;
}
