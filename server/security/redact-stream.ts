import { decodeEscapes } from "./decode-escapes.ts";
import { foldCase } from "./fold-case.ts";
import { MAX_DECODINGS } from "./secret-search.ts";
import type { TextSearch } from "./text-search.ts";

/** Redacts a text that arrives in pieces, of which a secret may span several. */
export interface StreamRedactor {
  /** What can be shown so far: the end of the text is held back while it may be the start of a secret. */
  push(text: string): string;
  /** The rest. */
  end(): string;
}

/** Bounds what is held back when a text repeats the start of a secret in escapes. */
const MAX_HELD = 2000;
/** An escape whose end has not arrived: `%4`, `\u00`, `&#x3`, `&am`. */
const OPEN_ESCAPE =
  /(?:%[\da-f]?|\\(?:x[\da-f]?|u(?:[\da-f]{0,3}|\{[\da-f]{0,6}))?|&(?:#x?[\da-f]{0,8}|[a-z]{0,4}))$/i;

export function createStreamRedactor({
  search,
  prefixes,
  mask,
}: {
  search: TextSearch;
  /** Prefixes of all forms in which the secrets may appear. */
  prefixes: ReadonlySet<string>;
  mask: string;
}): StreamRedactor {
  const longest = Math.max(...Array.from(prefixes, ({ length }) => length));
  let buffer = "";
  /** How many characters at the start of the buffer a mask that was already shown covers. */
  let covered = 0;

  /** Where the start of a secret, in any of its forms, begins that the end of the buffer may be. */
  function heldFrom(): number {
    let held = buffer.length;
    let text = buffer;
    let toSource = (at: number): number => at;
    for (let decodings = 0; ; decodings++) {
      const end = OPEN_ESCAPE.exec(text)?.index ?? text.length;
      const complete = foldCase(text.slice(0, end));
      let start = end;
      for (let at = Math.max(0, end - longest); at < end && start === end; at++)
        if (prefixes.has(complete.slice(at))) start = at;
      if (start < text.length) held = Math.min(held, toSource(start));
      const decoded = decodings < MAX_DECODINGS ? decodeEscapes(text.slice(0, end)) : undefined;
      if (decoded === undefined) return Math.max(held, buffer.length - MAX_HELD);
      const toSourceBefore = toSource;
      toSource = (at) => toSourceBefore(decoded.starts[at] as number);
      ({ text } = decoded);
    }
  }

  function show(end: number): string {
    let shown = "";
    let at = covered;
    for (const range of search.findRanges(buffer)) {
      if (range.start >= end) break;
      // A range that touches the covered characters continues the mask that was shown for them.
      if (covered === 0 || range.start > at) shown += buffer.slice(at, range.start) + mask;
      at = Math.max(at, range.end);
    }
    if (at < end) {
      shown += buffer.slice(at, end);
      at = end;
    }
    buffer = buffer.slice(end);
    covered = at - end;
    return shown;
  }

  return {
    push(text) {
      buffer += text;
      return show(heldFrom());
    },
    end: () => show(buffer.length),
  };
}
