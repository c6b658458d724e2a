/**
 * Instruments by their label values. prom-client sorts and hashes the labels of every observation; an instrument that is
 * bound once skips that, which matters for those that every step uses.
 */
export function boundLabels<T>(bind: (...values: string[]) => T): (...values: string[]) => T {
  const bound = new Map<string, T>();
  return (...values) => {
    const key = values.length === 1 ? values[0]! : values.join("\0");
    let found = bound.get(key);
    if (found === undefined) {
      found = bind(...values);
      bound.set(key, found);
    }
    return found;
  };
}

/** At most `limit` different values; all later ones become "other". Users choose some values, such as model names. */
export function boundedValues(limit: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= limit) return "other";
    known.add(value);
    return value;
  };
}
