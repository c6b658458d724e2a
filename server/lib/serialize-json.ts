import { inTurns, type PartedWork } from "./in-turns.ts";

/** About as much is written at once, which takes milliseconds. */
const PART_WEIGHT = 32 * 1024;
/** A value weighs its characters, and at least this much. */
const MIN_WEIGHT = 8;
/** A value that weighs less is serialised at once, in about a millisecond. */
const SMALL_WEIGHT = 128 * 1024;
/** Lists and objects below this are light. */
const HEAVY_WEIGHT = 1024;
/** A light list or object counts this much, without being weighed again. */
const LIGHT_WEIGHT = 256;
/** More keys are sorted a few at a time. To list a hundred thousand takes tens of milliseconds, and has its own turn. */
const KEYS_AT_ONCE = 1000;
const WEIGHED_AT_ONCE = 5000;

export interface SerializeOptions {
  /** Equal values have the same text, whatever the order of their keys. */
  sortKeys?: boolean;
  /** Fields of objects that are null are left out. */
  leaveOutNull?: boolean;
  /** As `JSON.stringify` with two spaces. */
  indent?: boolean;
}

type Members = Record<string, unknown>;
type Container = unknown[] | Members;

/** Text that is not yet joined. */
interface Output {
  /** What a value weighs, as far as it matters for what is written at once. */
  weightOf(value: unknown): number;
  options: SerializeOptions;
  add(text: string): void;
  /** True when enough was added since it last was. */
  endPart(): boolean;
}

/** The text of `JSON.stringify`; a promise only for a large value. */
export function serialize(value: unknown, { indent = false } = {}): string | Promise<string> {
  if (weighed(value, SMALL_WEIGHT) < 0) return serializeInTurns(value, { indent });
  return JSON.stringify(value, null, indent ? 2 : undefined);
}

/** What is left of `weight`; negative as soon as the value is known to weigh more. */
function weighed(value: unknown, weight: number): number {
  if (!isContainer(value)) return weight - weightOfScalar(value);
  let left = weight - MIN_WEIGHT;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = weighed(value[i], left);
    return left;
  }
  for (const key in value) {
    left = weighed(value[key], left - key.length);
    if (left < 0) return left;
  }
  return left;
}

export function serializeInTurns(value: unknown, options?: SerializeOptions): Promise<string> {
  return inTurns(serializeInParts(value, options));
}

/**
 * The text that `JSON.stringify` returns. A list of half a million empty lists would block the event loop for a tenth of a
 * second: lists and objects are written a few members at a time.
 */
export function* serializeInParts(value: unknown, options: SerializeOptions = {}): PartedWork<string> {
  const isPlain = options.sortKeys !== true && options.leaveOutNull !== true;
  const heavy = isPlain ? yield* weighInParts(value) : undefined;
  const parts: string[] = [];
  let pieces: string[] = [];
  let length = 0;
  const output: Output = {
    options,
    weightOf(member) {
      if (!isContainer(member)) return weightOfScalar(member);
      // Each object within has to be visited.
      return heavy === undefined ? Infinity : (heavy.get(member) ?? LIGHT_WEIGHT);
    },
    add(text) {
      pieces.push(text);
      length += text.length + MIN_WEIGHT;
    },
    endPart() {
      if (length <= PART_WEIGHT) return false;
      parts.push(pieces.join(""));
      pieces = [];
      length = 0;
      return true;
    },
  };
  yield* write(value, output, options.indent === true ? "\n" : "");
  return parts.join("") + pieces.join("");
}

/** `line` begins a line of the value: a line break with its indentation; empty without indentation. */
function* write(value: unknown, output: Output, line: string): PartedWork<void> {
  if (output.weightOf(value) <= PART_WEIGHT) output.add(textOf(value, line) ?? "null");
  else if (Array.isArray(value)) yield* writeList(value, output, line);
  else if (isContainer(value)) yield* writeObject(value as Members, output, line);
  else yield* writeText(String(value), output);
  if (output.endPart()) yield;
}

/** No line break of the text is within a string: JSON escapes those. */
function textOf(value: unknown, line: string): string | undefined {
  return line === "" ? JSON.stringify(value) : JSON.stringify(value, null, 2)?.replaceAll("\n", line);
}

function* writeList(list: readonly unknown[], output: Output, line: string): PartedWork<void> {
  const inner = lineWithin(line);
  output.add("[");
  for (let at = 0; at < list.length;) {
    if (at > 0) output.add(",");
    const end = endOfPart(list, at, output);
    if (end > at) {
      const text = textOf(list.slice(at, end), line)!;
      output.add(text.slice(1, -1 - line.length));
    } else {
      output.add(inner);
      yield* write(list[at], output, inner);
    }
    if (output.endPart()) yield;
    at = Math.max(end, at + 1);
  }
  output.add(list.length === 0 ? "]" : `${line}]`);
}

function lineWithin(line: string): string {
  return line === "" ? "" : `${line}  `;
}

/** Behind the items from `start` on that are written at once. */
function endOfPart(list: readonly unknown[], start: number, { weightOf }: Output): number {
  let end = start;
  for (let left = PART_WEIGHT; end < list.length; end++) {
    left -= weightOf(list[end]);
    if (left < 0) break;
  }
  return end;
}

function* writeObject(object: Members, output: Output, line: string): PartedWork<void> {
  yield;
  const keys = Object.keys(object);
  if (keys.length > KEYS_AT_ONCE) yield;
  const inner = lineWithin(line);
  const colon = line === "" ? ":" : ": ";
  let separator = "{";
  const { sortKeys, leaveOutNull } = output.options;
  for (const key of sortKeys ? yield* sortInParts(keys) : keys) {
    const member = object[key];
    if (member === undefined || (member === null && leaveOutNull)) continue;
    output.add(`${separator}${inner}${JSON.stringify(key)}${colon}`);
    separator = ",";
    yield* write(member, output, inner);
  }
  output.add(separator === "{" ? "{}" : `${line}}`);
}

/** Never between the halves of a surrogate pair, which would be escaped. */
function* writeText(text: string, output: Output): PartedWork<void> {
  output.add('"');
  for (let from = 0; from < text.length;) {
    let end = Math.min(text.length, from + PART_WEIGHT);
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1;
    output.add(JSON.stringify(text.slice(from, end)).slice(1, -1));
    if (output.endPart()) yield;
    from = end;
  }
  output.add('"');
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function weightOfScalar(value: unknown): number {
  return typeof value === "string" ? value.length + MIN_WEIGHT : MIN_WEIGHT;
}

interface Visit {
  value: Container;
  /** Undefined for a list. */
  keys: readonly string[] | undefined;
  count: number;
  at: number;
  weight: number;
}

/** The weights of heavy lists and objects. One that occurs several times is weighed once. */
function* weighInParts(root: unknown): PartedWork<ReadonlyMap<object, number>> {
  const heavy = new Map<object, number>();
  const open: Visit[] = isContainer(root) ? [visitOf(root)] : [];
  let visits = 0;
  for (let visit = open.at(-1); visit !== undefined; visit = open.at(-1)) {
    if (++visits % WEIGHED_AT_ONCE === 0 || (visit.at === 0 && visit.count > KEYS_AT_ONCE)) yield;
    const within = weighMembers(visit, heavy);
    if (within !== undefined) {
      open.push(visitOf(within));
      continue;
    }
    open.pop();
    if (visit.weight >= HEAVY_WEIGHT) heavy.set(visit.value, visit.weight);
    const outer = open.at(-1);
    if (outer !== undefined) outer.weight += visit.weight;
  }
  return heavy;
}

function visitOf(value: Container): Visit {
  const keys = Array.isArray(value) ? undefined : Object.keys(value);
  return { value, keys, count: (keys ?? (value as unknown[])).length, at: 0, weight: MIN_WEIGHT };
}

/** Weighs further members, up to a list or object that has to be weighed first. */
function weighMembers(visit: Visit, heavy: ReadonlyMap<object, number>): Container | undefined {
  const { value, keys, count } = visit;
  while (visit.at < count) {
    const key = keys?.[visit.at];
    const member = key === undefined ? (value as unknown[])[visit.at] : (value as Members)[key];
    visit.at += 1;
    visit.weight += key?.length ?? 0;
    if (!isContainer(member)) visit.weight += weightOfScalar(member);
    else if (Array.isArray(member) && member.length === 0) visit.weight += MIN_WEIGHT;
    else {
      const known = heavy.get(member);
      if (known === undefined) return member;
      visit.weight += known;
    }
  }
  return undefined;
}

/** By code unit, as `sort` does. */
function* sortInParts(texts: string[]): PartedWork<string[]> {
  if (texts.length <= KEYS_AT_ONCE) return texts.sort();
  let runs: string[][] = [];
  for (let from = 0; from < texts.length; from += KEYS_AT_ONCE) {
    runs.push(texts.slice(from, from + KEYS_AT_ONCE).sort());
    yield;
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(yield* merge(runs[i]!, runs[i + 1] ?? []));
    runs = merged;
  }
  return runs[0]!;
}

function* merge(a: readonly string[], b: readonly string[]): PartedWork<string[]> {
  const merged: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const isFromA = j >= b.length || (i < a.length && a[i]! < b[j]!);
    merged.push(isFromA ? a[i++]! : b[j++]!);
    if (merged.length % KEYS_AT_ONCE === 0) yield;
  }
  return merged;
}
