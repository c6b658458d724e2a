export type RedisReply = string | number | null | RedisReply[];

/** The server refused the command. */
export class RedisError extends Error {}

/** No command of the step returns deeper lists. */
const MAX_DEPTH = 8;
/** Simple texts, errors and lengths. */
const MAX_LINE_BYTES = 64 * 1024;
const FIRST_BYTES = 64 * 1024;

/** A command in RESP 2, the protocol of every Redis server. */
export function encodeCommand(words: readonly (string | number)[]): string {
  const texts = words.map(String);
  return `*${texts.length}\r\n${texts.map((text) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`).join("")}`;
}

/**
 * Reads one reply after the other. A list grows with the items that arrive, never by the length that the server declares:
 * a few bytes could otherwise allocate gigabytes. A refused command throws a `RedisError`, and anything but RESP 2 an
 * `EPROTO` error.
 */
export function createReplyReader(source: AsyncIterable<Buffer>): () => Promise<RedisReply> {
  const chunks = source[Symbol.asyncIterator]();
  let unread: Buffer = Buffer.alloc(0);

  async function nextChunk(): Promise<Buffer> {
    const { value, done } = await chunks.next();
    if (done === true)
      throw Object.assign(new Error("The server closed the connection."), { code: "ECONNRESET" });
    return value;
  }

  /** Copies into one buffer: a server that sends single bytes would otherwise leave an object for each in memory. */
  async function take(length: number): Promise<Buffer> {
    let bytes = Buffer.alloc(Math.min(length, FIRST_BYTES));
    for (let filled = 0; ;) {
      const part = unread.subarray(0, length - filled);
      const needed = filled + part.length;
      if (needed > bytes.length) bytes = Buffer.concat([bytes], Math.min(length, 2 * needed));
      part.copy(bytes, filled);
      unread = unread.subarray(part.length);
      filled = needed;
      if (filled === length) return bytes;
      unread = await nextChunk();
    }
  }

  async function line(): Promise<string> {
    const parts: Buffer[] = [];
    let bytes = 0;
    for (;;) {
      const end = unread.indexOf("\n");
      const part = end === -1 ? unread : unread.subarray(0, end + 1);
      parts.push(part);
      bytes += part.length;
      if (bytes > MAX_LINE_BYTES) throw malformed();
      if (end !== -1) break;
      unread = await nextChunk();
    }
    unread = unread.subarray(parts.at(-1)!.length);
    const text = Buffer.concat(parts, bytes).toString();
    if (!text.endsWith("\r\n")) throw malformed();
    return text.slice(0, -2);
  }

  async function read(depth: number): Promise<RedisReply> {
    const text = await line();
    const rest = text.slice(1);
    switch (text[0]) {
      case "+":
        return rest;
      case "-":
        throw new RedisError(rest);
      case ":":
        return integer(rest);
      case "$": {
        const length = integer(rest);
        if (length < 0) return null;
        return (await take(length + 2)).subarray(0, length).toString();
      }
      case "*": {
        const length = integer(rest);
        if (length < 0) return null;
        if (depth === MAX_DEPTH) throw malformed();
        const items: RedisReply[] = [];
        while (items.length < length) items.push(await read(depth + 1));
        return items;
      }
      default:
        throw malformed();
    }
  }

  return () => read(1);
}

function integer(text: string): number {
  if (!/^[+-]?\d{1,19}$/.test(text)) throw malformed();
  return Number(text);
}

/** For a reply that cannot be the one of the command. */
export function malformed(): Error {
  return Object.assign(new Error("The reply of the server is malformed."), { code: "EPROTO" });
}
