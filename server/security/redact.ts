import { atOnce, inTurns } from "../lib/in-turns.ts";
import { createSizedCache } from "../lib/sized-cache.ts";
import { encodedForms } from "./secret-forms.ts";
import { MASK, redactInParts, redactText } from "./redact-value.ts";
import { createStreamRedactor, type StreamRedactor } from "./redact-stream.ts";
import { createSecretSearch } from "./secret-search.ts";

export interface Redactor {
  text(text: string): string;
  /** Any JSON value, keys included. Returns the same reference if it contains no secret. */
  value<T>(json: T): T;
  /** The same in turns of the event loop: ten megabytes with escapes take half a second. */
  valueInTurns<T>(json: T): Promise<T>;
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
      valueInTurns: (json) => Promise.resolve(json),
      stream: () => ({ push: (text) => text, end: () => "" }),
    };
  const search = createSecretSearch(forms);
  let prefixes: ReadonlySet<string> | undefined;

  const secretForms = { forms, search };
  return {
    text: (source) => redactText(source, search.findRanges(source)),
    stream: () => createStreamRedactor({ search, prefixes: (prefixes ??= prefixesOf(forms)), mask: MASK }),
    value: (json) => atOnce(redactInParts(json, secretForms)),
    valueInTurns: (json) => inTurns(redactInParts(json, secretForms)),
  };
}

function prefixesOf(forms: Iterable<string>): Set<string> {
  const prefixes = new Set<string>();
  for (const form of forms) for (let end = 1; end < form.length; end++) prefixes.add(form.slice(0, end));
  return prefixes;
}
