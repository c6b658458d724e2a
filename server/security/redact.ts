import { createSizedCache } from "../lib/sized-cache.ts";
import { encodedForms } from "./secret-forms.ts";
import { createStreamRedactor, type StreamRedactor } from "./redact-stream.ts";
import { createSecretSearch } from "./secret-search.ts";

export const MASK = "•••";

export interface Redactor {
  text(text: string): string;
  /** Any JSON value, keys included. Returns the same reference if it contains no secret. */
  value<T>(json: T): T;
  /** For a text that arrives in pieces. */
  stream(): StreamRedactor;
}

/**
 * Redacts secrets from everything that is stored, shown or logged, in any letter case and encoding. A secret of fewer than
 * four characters is left alone: "1" or "no" occurs in half of all texts, and redacting it everywhere would reveal it.
 */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const list = [...secrets];
  const key = JSON.stringify(list);
  const known = redactors.get(key);
  if (known !== undefined) return known;
  const redactor = buildRedactor(list);
  if (key.length <= MAX_CACHED_CHARACTERS / 10) redactors.set(key, redactor, key.length);
  return redactor;
}

/** Every call with one connection redacts the same secrets, and finding their forms takes longer than to redact a result. */
const MAX_CACHED_CHARACTERS = 100_000;
const redactors = createSizedCache<Redactor>(MAX_CACHED_CHARACTERS);

function buildRedactor(secrets: readonly string[]): Redactor {
  const forms = encodedForms(secrets);
  if (forms.size === 0)
    return {
      text: (text) => text,
      value: (json) => json,
      stream: () => ({ push: (text) => text, end: () => "" }),
    };
  const search = createSecretSearch(forms);
  let prefixes: ReadonlySet<string> | undefined;

  function text(source: string): string {
    let result = "";
    let end = 0;
    for (const range of search.findRanges(source)) {
      result += source.slice(end, range.start) + MASK;
      end = range.end;
    }
    return end === 0 ? source : result + source.slice(end);
  }

  function isTouched(scalar: unknown): boolean {
    if (typeof scalar === "string") return search.findRanges(scalar).length > 0;
    // A secret of digits becomes a number when a response is parsed. Only an equal number is redacted: four digits occur
    // inside many other numbers.
    return typeof scalar === "number" && forms.has(String(scalar));
  }

  function scalar(value: unknown): unknown {
    if (typeof value === "string") return text(value);
    return isTouched(value) ? MASK : value;
  }

  return {
    text,
    stream: () => createStreamRedactor({ search, prefixes: (prefixes ??= prefixesOf(forms)), mask: MASK }),
    value<T>(json: T): T {
      // Nearly every value is clean and is returned without a copy.
      return holdsSecret(json, isTouched) ? (copy(json, scalar) as T) : json;
    },
  };
}

function prefixesOf(forms: Iterable<string>): Set<string> {
  const prefixes = new Set<string>();
  for (const form of forms) for (let end = 1; end < form.length; end++) prefixes.add(form.slice(0, end));
  return prefixes;
}

type Json = unknown[] | Record<string, unknown>;

function isContainer(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}

// Both walks use an explicit stack: ten thousand nested arrays are valid JSON and would overflow the call stack.
function holdsSecret(json: unknown, isTouched: (scalar: unknown) => boolean): boolean {
  const pending: unknown[] = [json];
  while (pending.length > 0) {
    const value = pending.pop();
    if (Array.isArray(value)) {
      for (const item of value) pending.push(item);
    } else if (isContainer(value)) {
      for (const [key, child] of Object.entries(value)) pending.push(key, child);
    } else if (isTouched(value)) return true;
  }
  return false;
}

function copy(json: unknown, scalar: (value: unknown) => unknown): unknown {
  if (!isContainer(json)) return scalar(json);
  const root = emptyLike(json);
  const pending: [source: Json, target: Json][] = [[json, root]];
  const copyChild = (child: unknown): unknown => {
    if (!isContainer(child)) return scalar(child);
    const target = emptyLike(child);
    pending.push([child, target]);
    return target;
  };
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [source, target] = next;
    if (Array.isArray(target)) {
      for (const child of source as unknown[]) target.push(copyChild(child));
    } else {
      for (const [key, child] of Object.entries(source)) {
        // defineProperty, because assigning a key named __proto__ would set the prototype.
        Object.defineProperty(target, scalar(key) as string, {
          value: copyChild(child),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
    }
  }
  return root;
}

function emptyLike(value: Json): Json {
  return Array.isArray(value) ? [] : {};
}
