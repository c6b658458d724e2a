import { createMeasure, type Measure } from "../../contract/placeholders/json-size.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";

/** JSON text of a list or object, whose members belong to the one at `path`. Of any other value, the whole text. */
export interface ValuePiece {
  path: (string | number)[];
  json: string;
}

/** Parsed in about 3 ms. */
const PIECE_SIZE = 256 * 1024;

/** Splits a value so that the event loop that parses it is never blocked for long. */
export function piecesOf(value: JsonValue): ValuePiece[] {
  const measure = createMeasure();
  if (!isLarge(value, measure(value, PIECE_SIZE))) return [{ path: [], json: JSON.stringify(value) }];
  const pieces: ValuePiece[] = [];
  split(value, [], pieces, measure);
  return pieces;
}

/** Collects the pieces of a list whose items arrive one by one. */
export function createListPieces(measure: Measure) {
  const pieces: ValuePiece[] = [];
  const list = createSplitter(true, [], pieces, measure);
  let length = 0;
  return {
    add(item: JsonValue, size: number): void {
      list.add(length++, item, size);
    },
    end(): ValuePiece[] {
      list.end();
      return pieces;
    },
  };
}

type Container = JsonValue[] | { [key: string]: JsonValue };

/** A long text is one value, and its parser only copies it. */
function isLarge(value: JsonValue, size: number): value is Container {
  return size > PIECE_SIZE && typeof value === "object" && value !== null;
}

function split(value: Container, path: ValuePiece["path"], pieces: ValuePiece[], measure: Measure): void {
  const members = createSplitter(Array.isArray(value), path, pieces, measure);
  if (Array.isArray(value)) for (const [index, item] of value.entries()) members.add(index, item);
  else for (const [key, member] of Object.entries(value)) members.add(key, member);
  members.end();
}

function createSplitter(isList: boolean, path: ValuePiece["path"], pieces: ValuePiece[], measure: Measure) {
  let texts: string[] = [];
  let size = 0;
  const end = (): void => {
    const members = texts.join(",");
    pieces.push({ path, json: isList ? `[${members}]` : `{${members}}` });
    texts = [];
    size = 0;
  };
  return {
    add(key: string | number, member: JsonValue, memberSize = measure(member, PIECE_SIZE)): void {
      const name = isList ? "" : `${JSON.stringify(key)}:`;
      if (isLarge(member, memberSize)) {
        texts.push(name + (Array.isArray(member) ? "[]" : "{}"));
        // Its own members are added after it exists.
        end();
        return split(member, [...path, key], pieces, measure);
      }
      texts.push(name + JSON.stringify(member));
      size += memberSize;
      if (size > PIECE_SIZE) end();
    },
    end,
  };
}

/** Parses each piece in its own turn. */
export async function joinPieces(
  [first, ...rest]: readonly ValuePiece[],
  nextTurn: () => Promise<unknown>,
): Promise<JsonValue> {
  const value = JSON.parse(first?.json ?? "null") as JsonValue;
  for (const { path, json } of rest) {
    await nextTurn();
    // The pieces come from the worker, which wrote each container before its members.
    const target = path.reduce<JsonValue>((within, key) => (within as JsonValue[])[key as number]!, value);
    const part = JSON.parse(json) as JsonValue;
    if (Array.isArray(target)) for (const item of part as JsonValue[]) target.push(item);
    else Object.assign(target as object, part);
  }
  return value;
}
