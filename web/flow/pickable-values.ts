/** A value that a placeholder can refer to, with a sample from the last run. */
export interface PickableValue {
  placeholder: string;
  sample: unknown;
}

const MAX_PATHS = 60;
const MAX_DEPTH = 4;
/** Names that a path can contain without brackets and quotes. */
const PLAIN_NAME = /^[\p{L}\p{M}\p{N}_$-]+$/u;

/** The value and the values inside it, breadth first and at most 60, so that a large output stays a short list. */
export function pathsOf(root: string, value: unknown): PickableValue[] {
  const found: PickableValue[] = [];
  let layer: { path: string; value: unknown }[] = [{ path: root, value }];
  for (let depth = 0; depth <= MAX_DEPTH && layer.length > 0; depth += 1) {
    const inner: { path: string; value: unknown }[] = [];
    for (const entry of layer) {
      if (found.length >= MAX_PATHS) return found;
      found.push({ placeholder: entry.path, sample: entry.value });
      if (typeof entry.value !== "object" || entry.value === null) continue;
      // The first item represents the list: items usually have the same shape.
      const keys = Array.isArray(entry.value)
        ? Object.keys(entry.value).slice(0, 1)
        : Object.keys(entry.value);
      for (const key of keys) {
        const at = Array.isArray(entry.value) ? `[${key}]` : pathSegment(key);
        inner.push({ path: `${entry.path}${at}`, value: (entry.value as Record<string, unknown>)[key] });
      }
    }
    layer = inner;
  }
  return found;
}

/** `.name`, or `["odd name"]` for names that need quotes. */
export function pathSegment(name: string): string {
  return PLAIN_NAME.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** The path in JSONata syntax, which quotes special names in backticks. */
export function asExpression(placeholder: string): string {
  return placeholder
    .replaceAll(/\["((?:[^"\\]|\\.)*)"\]/g, (_whole, name: string) => `.\`${name}\``)
    .split(/\.(?![^`]*`(?:[^`]*`[^`]*`)*[^`]*$)/)
    .map((part) => (/^`|^[\p{L}_$][\p{L}\p{N}_$]*(\[\d+\])*$/u.test(part) ? part : `\`${part}\``))
    .join(".");
}
