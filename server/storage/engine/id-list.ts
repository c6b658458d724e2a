/**
 * The members of an `in`. A list in the statement and not a JSON array: PostgreSQL cannot estimate the length of that and
 * scans the whole table. Only powers of two, padded with the first id, so that few statements need to be prepared.
 */
export function listOf(ids: readonly string[]): { list: string; params: string[] } {
  const size = 2 ** Math.ceil(Math.log2(ids.length));
  const params = Array.from({ length: size }, (_, index) => ids[index] ?? ids[0]!);
  return { list: `(${params.map((_, index) => `$${index + 1}`).join(", ")})`, params };
}
