import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";

/** JSON text that is stored elsewhere. A response sends it as it is, without loading it as a whole. */
export class StoredJson {
  readonly open: () => Promise<Readable>;
  readonly #link: unknown;

  /** `link` stands for the value wherever it is not sent by `streamJson`. */
  constructor(open: () => Promise<Readable>, link: unknown) {
    this.open = open;
    this.#link = link;
  }

  toJSON(): unknown {
    return this.#link;
  }
}

/**
 * The JSON of what `build` returns. It passes each value that may be stored JSON to `place`. Text when there is none, else
 * a stream that reads one stored value after the other.
 */
export function streamJson(build: (place: (value: unknown) => unknown) => object): string | Readable {
  // Random, so that no user's data contains it.
  const mark = randomUUID();
  const stored: StoredJson[] = [];
  const text = JSON.stringify(
    build((value) => (value instanceof StoredJson ? `${mark}:${stored.push(value) - 1}` : value)),
  );
  if (stored.length === 0) return text;
  return Readable.from(pieces(text.split(new RegExp(`"${mark}:(\\d+)"`)), stored));
}

/** The split yields text and the numbers of stored values alternately. */
async function* pieces(parts: readonly string[], stored: readonly StoredJson[]): AsyncGenerator<Buffer> {
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 0) yield Buffer.from(part);
    else for await (const chunk of await stored[Number(part)]!.open()) yield chunk as Buffer;
  }
}
