import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { inTurns } from "./in-turns.ts";
import { parseJsonInParts } from "./parted-json.ts";

/** JSON text as it is stored. A response sends it as it is, without parsing it; large text is not loaded as a whole. */
export class StoredJson {
  /** The text, or how to read a large one. */
  readonly source: string | (() => Promise<Readable>);
  readonly #link: unknown;

  /** `link` stands for the value wherever it is not sent by `streamJson`. */
  constructor(source: StoredJson["source"], link: unknown) {
    this.source = source;
    this.#link = link;
  }

  toJSON(): unknown {
    return this.#link;
  }
}

/** A value of a task that was read as stored JSON. Large text is parsed in turns of the event loop. */
export async function parseStored<T>(value: T): Promise<T> {
  if (!(value instanceof StoredJson)) return value;
  const { source } = value;
  return (await parseInTurns(typeof source === "string" ? source : await text(await source()))) as T;
}

export function parseInTurns(json: string): Promise<JsonValue> {
  return inTurns(parseJsonInParts(json));
}

/** Puts a value that may be stored JSON into a response. */
export type Embed = (value: unknown) => unknown;

/**
 * The JSON of what `build` returns. It passes each value that may be stored JSON to `embed`. Text unless a stored value is
 * read, else a stream that reads one after the other.
 */
export function streamJson(build: (embed: Embed) => object): string | Readable {
  // Random, so that no user's data contains it.
  const mark = randomUUID();
  const stored: StoredJson["source"][] = [];
  const json = JSON.stringify(
    build((value) => (value instanceof StoredJson ? `${mark}:${stored.push(value.source) - 1}` : value)),
  );
  // The split yields text and the numbers of stored values alternately.
  const pieces = json
    .split(new RegExp(`"${mark}:(\\d+)"`))
    .map((part, index) => (index % 2 === 0 ? part : stored[Number(part)]!));
  return pieces.every((piece) => typeof piece === "string") ? pieces.join("") : Readable.from(read(pieces));
}

async function* read(pieces: readonly StoredJson["source"][]): AsyncGenerator<Buffer> {
  for (const piece of pieces)
    if (typeof piece === "string") yield Buffer.from(piece);
    else for await (const chunk of await piece()) yield chunk as Buffer;
}
