/** A value that is created at its first use, so that the start of the service need not wait for it. */
export function onFirstUse<T extends object>(create: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= create());
}
