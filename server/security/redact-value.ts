import type { PartedWork } from "../lib/in-turns.ts";
import { LONG_TEXT } from "./secret-search.ts";
import type { TextRange, TextSearch } from "./text-search.ts";

export const MASK = "•••";

export interface SecretForms {
  forms: ReadonlySet<string>;
  search: TextSearch;
}

type Json = unknown[] | Record<string, unknown>;

const VALUES_AT_ONCE = 1000;

/** Nearly every value is clean and is returned without a copy. */
export function* redactInParts<T>(json: T, secrets: SecretForms): PartedWork<T> {
  return (yield* holdsSecret(json, secrets)) ? ((yield* copy(json, secrets)) as T) : json;
}

export function redactText(source: string, ranges: readonly TextRange[]): string {
  let result = "";
  let end = 0;
  for (const range of ranges) {
    result += source.slice(end, range.start) + MASK;
    end = range.end;
  }
  return end === 0 ? source : result + source.slice(end);
}

/**
 * A secret of digits becomes a number when a response is parsed. Only an equal number is redacted: four digits occur
 * inside many other numbers.
 */
function isSecretNumber(value: unknown, { forms }: SecretForms): boolean {
  return typeof value === "number" && forms.has(String(value));
}

function isContainer(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}

// Both walks use an explicit stack: ten thousand nested arrays are valid JSON and would overflow the call stack.
function* holdsSecret(json: unknown, secrets: SecretForms): PartedWork<boolean> {
  const { search } = secrets;
  const pending: unknown[] = [json];
  for (let values = 1; pending.length > 0; values++) {
    if (values % VALUES_AT_ONCE === 0) yield;
    const value = pending.pop();
    if (Array.isArray(value)) {
      for (const item of value) pending.push(item);
    } else if (isContainer(value)) {
      for (const [key, child] of Object.entries(value)) pending.push(key, child);
    } else if (typeof value === "string") {
      const isLong = value.length > LONG_TEXT;
      const ranges = isLong ? yield* search.findRangesInParts(value) : search.findRanges(value);
      if (ranges.length > 0) return true;
    } else if (isSecretNumber(value, secrets)) return true;
  }
  return false;
}

function* copy(json: unknown, secrets: SecretForms): PartedWork<unknown> {
  if (!isContainer(json)) return yield* copyScalar(json, secrets);
  const root = emptyLike(json);
  const pending: [source: Json, target: Json][] = [[json, root]];
  let values = 0;
  function* copyChild(child: unknown): PartedWork<unknown> {
    if (++values % VALUES_AT_ONCE === 0) yield;
    if (!isContainer(child)) return yield* copyScalar(child, secrets);
    const target = emptyLike(child);
    pending.push([child, target]);
    return target;
  }
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [source, target] = next;
    if (Array.isArray(target)) {
      for (const child of source as unknown[]) target.push(yield* copyChild(child));
    } else {
      for (const [key, child] of Object.entries(source)) {
        // defineProperty, because assigning a key named __proto__ would set the prototype.
        Object.defineProperty(target, (yield* copyScalar(key, secrets)) as string, {
          value: yield* copyChild(child),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
    }
  }
  return root;
}

function* copyScalar(value: unknown, secrets: SecretForms): PartedWork<unknown> {
  if (typeof value === "string") return redactText(value, yield* secrets.search.findRangesInParts(value));
  return isSecretNumber(value, secrets) ? MASK : value;
}

function emptyLike(value: Json): Json {
  return Array.isArray(value) ? [] : {};
}
