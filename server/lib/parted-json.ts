import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { type PartedWork } from "./in-turns.ts";

/** Lists, objects and texts with more characters are parsed in parts of about this size, which takes milliseconds. */
const PART_LENGTH = 32 * 1024;

/** Quotes within one text. */
const QUOTES_AT_ONCE = 10_000;

/** The characters of `\u0000`. */
const LONGEST_ESCAPE = 6;

/** The text may be JSON, but is not parsed. */
export class NestedTooDeeply extends SyntaxError {}

/**
 * Deeper text is refused: code that walks values recursively would overflow the stack. The output of a step has at most
 * 1,000 levels, and the result of a run has two more around it.
 */
const MAX_DEPTH = 1002;

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPENING_BRACE, CLOSING_BRACE] = [0x7b, 0x7d];
const [OPENING_BRACKET, CLOSING_BRACKET] = [0x5b, 0x5d];

export interface PartedJson {
  /** Called with the number of values so far, before any is parsed; may throw. */
  checkCount?: ((values: number) => void) | undefined;
  /** At most 1,002, which is also the default. */
  maxDepth?: number | undefined;
  /** As for `JSON.parse`. */
  reviver?: ((key: string, value: unknown, context: never) => unknown) | undefined;
}

/** A list, object or text of more than `PART_LENGTH` characters. */
interface LargeSpan {
  start: number;
  /** Behind the closing bracket or quote. */
  end: number;
  /** Positions of the commas between its own members; a text has none. */
  commas: number[];
  /** The large lists, objects and texts directly within. */
  within: LargeSpan[];
}

/**
 * The value of JSON text as `JSON.parse` returns it. A text of ten megabytes of `[]` would block the event loop for a
 * second: large lists and objects are parsed a few members at a time, and long texts in parts. Throws SyntaxError.
 */
export function* parseJsonInParts(text: string, options: PartedJson = {}): PartedWork<JsonValue> {
  const mayBeDeep = text.length > 2 * (options.maxDepth ?? MAX_DEPTH);
  const isRead = mayBeDeep || text.length > PART_LENGTH || options.checkCount !== undefined;
  const spans = isRead ? yield* findLargeSpans(text, options) : [];
  const [span] = spans;
  if (span === undefined) return JSON.parse(text, options.reviver as never) as JsonValue;
  if (spans.length > 1 || !isBlank(text.slice(0, span.start)) || !isBlank(text.slice(span.end)))
    throw new SyntaxError("There is text around the value.");
  return yield* parseSpan(text, span, options);
}

/** Reads the text once. Lists and objects that are still small when they end are forgotten. */
function* findLargeSpans(
  text: string,
  { checkCount, maxDepth = MAX_DEPTH }: PartedJson,
): PartedWork<LargeSpan[]> {
  const root: LargeSpan[] = [];
  const open: LargeSpan[] = [];
  let values = 1;
  let readTo = PART_LENGTH;
  for (let at = 0; at < text.length; at++) {
    if (at > readTo) {
      checkCount?.(values);
      readTo = at + PART_LENGTH;
      yield;
    }
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const start = at;
        at = simpleEndOfString(text, at) ?? (yield* findEndOfString(text, at));
        if (at - start > PART_LENGTH && at < text.length && !isKey(text, at + 1))
          (open.at(-1)?.within ?? root).push({ start, end: at + 1, commas: [], within: [] });
        break;
      }
      case COMMA:
        values += 1;
        open.at(-1)?.commas.push(at);
        break;
      case OPENING_BRACE:
      case OPENING_BRACKET:
        values += 1;
        if (open.length >= maxDepth) throw new NestedTooDeeply("The JSON is nested too deeply.");
        open.push({ start: at, end: at, commas: [], within: [] });
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET: {
        const span = open.pop();
        if (span === undefined) throw new SyntaxError("A list or object ends that has not begun.");
        span.end = at + 1;
        if (span.end - span.start > PART_LENGTH) (open.at(-1)?.within ?? root).push(span);
      }
    }
  }
  checkCount?.(values);
  if (open.length > 0) throw new SyntaxError("A list or object does not end.");
  return root;
}

/** True when a colon follows. */
function isKey(text: string, end: number): boolean {
  const next = /[^ \t\n\r]/g;
  next.lastIndex = end;
  return next.exec(text)?.[0] === ":";
}

/** A text with many escapes: ten megabytes of them would block the event loop for a tenth of a second. */
function* parseText(text: string, { start, end }: LargeSpan): PartedWork<string> {
  const parts: string[] = [];
  for (let from = start + 1; from < end - 1;) {
    const to = endOfWholeEscapes(text, from, Math.min(end - 1, from + PART_LENGTH));
    parts.push(JSON.parse(`"${text.slice(from, to)}"`) as string);
    from = to;
    yield;
  }
  return parts.join("");
}

/** At most `to`: the characters from `from` on end with no part of an escape. */
function endOfWholeEscapes(text: string, from: number, to: number): number {
  const tail = Math.max(from, to - LONGEST_ESCAPE);
  const last = tail + text.slice(tail, to).lastIndexOf("\\");
  if (last < tail) return to;
  let start = last;
  while (start > from && text.charCodeAt(start - 1) === BACKSLASH) start -= 1;
  const isEscaped = (last - start) % 2 === 1;
  if (isEscaped) return to;
  const length = text.charAt(last + 1) === "u" ? LONGEST_ESCAPE : 2;
  return last + length > to && last > from ? last : to;
}

function* parseSpan(text: string, span: LargeSpan, { reviver }: PartedJson): PartedWork<JsonValue> {
  if (text.charCodeAt(span.start) === QUOTE) return yield* parseText(text, span);
  const isList = text.charCodeAt(span.start) === OPENING_BRACKET;
  if (span.commas.length === 0 && span.within.length === 0)
    return JSON.parse(text.slice(span.start, span.end), reviver as never) as JsonValue;
  const closing = text.charCodeAt(span.end - 1);
  if (closing !== (isList ? CLOSING_BRACKET : CLOSING_BRACE)) throw new SyntaxError("The brackets differ.");
  const list: JsonValue[] = [];
  const object: { [key: string]: JsonValue } = {};
  const parse = (members: string): unknown =>
    JSON.parse(isList ? `[${members}]` : `{${members}}`, reviver as never);
  const add = (members: string): void => {
    if (isBlank(members)) throw new SyntaxError("A member is missing.");
    if (isList) for (const item of parse(members) as JsonValue[]) list.push(item);
    else
      for (const [key, member] of Object.entries(parse(members) as typeof object))
        define(object, key, member);
  };
  const within = span.within.values();
  let large = within.next().value;
  let start = span.start + 1;
  for (let i = 0; i <= span.commas.length; i++) {
    const end = span.commas[i] ?? span.end - 1;
    if (large !== undefined && large.end <= end) {
      // Everything before the member, which has at least one large value, up to the comma before it.
      const before = span.commas[i - 1];
      if (before !== undefined && before >= start) {
        add(text.slice(start, before));
        start = before + 1;
      }
      if (!isBlank(text.slice(large.end, end))) throw new SyntaxError("There is text behind a value.");
      const name = text.slice(start, large.start);
      const member = yield* parseSpan(text, large, { reviver });
      if (isList && !isBlank(name)) throw new SyntaxError("There is text before a value.");
      const key = isList ? undefined : keyOf(name, reviver);
      if (isList) list.push(member);
      else if (key !== undefined) define(object, key, member);
      large = within.next().value;
    } else if (end - start > PART_LENGTH || i === span.commas.length) add(text.slice(start, end));
    else continue;
    start = end + 1;
    yield;
  }
  return isList ? list : object;
}

/** The key of `"key":`; undefined when the reviver leaves it out. */
function keyOf(text: string, reviver: PartedJson["reviver"]): string | undefined {
  // After a list nothing else can be a part of the value: `"key":1` would be read as `"key":10`.
  return Object.keys(JSON.parse(`{${text}[]}`, reviver as never) as object)[0];
}

/** An assignment to `__proto__` would change the prototype. */
function define(object: { [key: string]: JsonValue }, key: string, value: JsonValue): void {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
  else object[key] = value;
}

function isBlank(text: string): boolean {
  return /^[ \t\n\r]*$/.test(text);
}

/** Undefined when a quote may be escaped. Few texts have one, and a generator for each would double the time. */
export function simpleEndOfString(text: string, start: number): number | undefined {
  const end = text.indexOf('"', start + 1);
  if (end === -1) return text.length;
  return text.charCodeAt(end - 1) === BACKSLASH ? undefined : end;
}

/** The position of the quote that ends the string which starts at `start`; the length of the text if none does. */
export function* findEndOfString(text: string, start: number): PartedWork<number> {
  let escaped = 0;
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
    if (++escaped % QUOTES_AT_ONCE === 0) yield;
  }
  return text.length;
}
