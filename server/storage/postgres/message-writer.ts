import type { ColumnType, SqlValue } from "../db.ts";
import { WrongParameter, withoutNul } from "../parameters.ts";

const FIRST_BYTES = 16 * 1024;
/** A larger buffer is not kept for the next pipeline. */
const KEPT_BYTES = 512 * 1024;
/** Longer strings are encoded by Node: it is faster for them, and a call of it costs more than a few characters. */
const SHORT_TEXT = 40;
const MAX_BYTES_PER_UNIT = 3;
const [TEXT, BINARY] = [0, 1];
const COPY_SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0", "latin1");
/** In place of the number of values of a row. */
const NO_MORE_ROWS = -1;
/** The server limits a message to 1 GB. */
const COPY_MESSAGE_BYTES = 1024 * 1024;

/**
 * Writes the messages of one pipeline into one buffer, which becomes one write of the socket. `pg` allocates a buffer for
 * each message. The bytes are valid until `clear`: the server has read them all when it is ready for the next query.
 */
export interface MessageWriter {
  parse(name: string, text: string): void;
  describe(kind: "S" | "P", name: string): void;
  close(name: string): void;
  /** Binds the values to the unnamed portal and executes it. */
  bind(name: string, values: readonly SqlValue[]): void;
  execute(): void;
  /** After the execution of a `copy … (format binary)`: its rows, whose values follow each other. */
  copy(columns: readonly ColumnType[], values: readonly SqlValue[]): void;
  sync(): void;
  bytes(): Uint8Array;
  clear(): void;
}

export function createMessageWriter(): MessageWriter {
  let buffer = Buffer.allocUnsafe(FIRST_BYTES);
  let at = 0;

  function reserve(bytes: number): void {
    if (at + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, at + bytes));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
  }

  function int32(value: number, position: number): void {
    buffer[position] = value >>> 24;
    buffer[position + 1] = value >>> 16;
    buffer[position + 2] = value >>> 8;
    buffer[position + 3] = value;
  }

  function int16(value: number): void {
    reserve(2);
    buffer[at] = value >>> 8;
    buffer[at + 1] = value;
    at += 2;
  }

  /** Returns where the length of the message is written at its end. */
  function begin(type: string): number {
    reserve(5);
    buffer[at] = type.charCodeAt(0);
    at += 5;
    return at - 4;
  }

  function end(lengthAt: number): void {
    int32(at - lengthAt, lengthAt);
  }

  /** Appends UTF-8. Room for it is reserved. */
  function text(value: string): void {
    if (value.length <= SHORT_TEXT) {
      let position = at;
      for (let index = 0; index < value.length; index += 1) {
        const unit = value.charCodeAt(index);
        if (unit > 127) break;
        buffer[position++] = unit;
      }
      if (position - at === value.length) {
        at = position;
        return;
      }
    }
    at += buffer.write(value, at, "utf8");
  }

  function cstring(value: string): void {
    reserve(value.length * MAX_BYTES_PER_UNIT + 1);
    text(value);
    buffer[at++] = 0;
  }

  function textParameter(value: string): void {
    // The exact number of bytes for a long text: three times its length could be much more than it needs.
    const most =
      value.length > FIRST_BYTES ? Buffer.byteLength(value, "utf8") : value.length * MAX_BYTES_PER_UNIT;
    reserve(4 + most);
    const lengthAt = at;
    at += 4;
    text(value);
    int32(at - lengthAt - 4, lengthAt);
  }

  function int64Parameter(value: SqlValue): void {
    // The bytes of anything else would be another number.
    if (!Number.isSafeInteger(value))
      throw new WrongParameter(`A copy needs a whole number, not ${String(value)}.`);
    reserve(12);
    int32(8, at);
    const high = Math.floor((value as number) / 2 ** 32);
    int32(high, at + 4);
    int32((value as number) - high * 2 ** 32, at + 8);
    at += 12;
  }

  function parameter(value: SqlValue): void {
    if (value === null || value === undefined) {
      reserve(4);
      int32(-1, at);
      at += 4;
    } else if (typeof value === "string") {
      textParameter(withoutNul(value));
    } else if (typeof value === "number") {
      textParameter(String(value));
    } else {
      reserve(4 + value.byteLength);
      int32(value.byteLength, at);
      buffer.set(value, at + 4);
      at += 4 + value.byteLength;
    }
  }

  /** Without format codes all parameters are text. */
  function formats(values: readonly SqlValue[]): void {
    if (!values.some(isBytes)) return int16(0);
    int16(values.length);
    for (const value of values) int16(isBytes(value) ? BINARY! : TEXT!);
  }

  return {
    parse(name, sql) {
      const message = begin("P");
      cstring(name);
      cstring(sql);
      int16(0);
      end(message);
    },
    describe(kind, name) {
      const message = begin("D");
      cstring(kind + name);
      end(message);
    },
    close(name) {
      const message = begin("C");
      cstring(`S${name}`);
      end(message);
    },
    bind(name, values) {
      const message = begin("B");
      cstring("");
      cstring(name);
      formats(values);
      int16(values.length);
      for (const value of values) parameter(value);
      // All results are text.
      int16(0);
      end(message);
    },
    execute() {
      const message = begin("E");
      cstring("");
      reserve(4);
      // No limit of rows.
      int32(0, at);
      at += 4;
      end(message);
    },
    copy(columns, values) {
      let message = begin("d");
      reserve(COPY_SIGNATURE.length + 8);
      buffer.set(COPY_SIGNATURE, at);
      at += COPY_SIGNATURE.length;
      // No flags, and no extension of the header.
      buffer.fill(0, at, (at += 8));
      for (let first = 0; first < values.length; first += columns.length) {
        if (at - message > COPY_MESSAGE_BYTES) {
          end(message);
          message = begin("d");
        }
        int16(columns.length);
        for (let index = 0; index < columns.length; index += 1) {
          const value = values[first + index]!;
          if (columns[index] === "bigint" && value !== null) int64Parameter(value);
          else parameter(value);
        }
      }
      int16(NO_MORE_ROWS);
      end(message);
      end(begin("c"));
    },
    sync() {
      end(begin("S"));
    },
    bytes: () => buffer.subarray(0, at),
    clear() {
      at = 0;
      if (buffer.length > KEPT_BYTES) buffer = Buffer.allocUnsafe(FIRST_BYTES);
    },
  };
}

function isBytes(value: SqlValue): value is Uint8Array {
  return typeof value === "object" && value !== null;
}
