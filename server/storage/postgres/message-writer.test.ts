import { describe, expect, it } from "vitest";
import type { SqlValue } from "../db.ts";
import { createMessageWriter } from "./message-writer.ts";

/** The values of the only Bind in `bytes`, with their format codes, read as a server would. */
function readBind(bytes: Uint8Array): {
  name: string;
  formats: number[];
  values: (string | number[] | null)[];
} {
  const view = Buffer.from(bytes);
  expect(String.fromCharCode(view[0]!)).toBe("B");
  expect(view.readInt32BE(1)).toBe(view.length - 1);
  let at = 6;
  const nameEnd = view.indexOf(0, at);
  const name = view.toString("utf8", at, nameEnd);
  at = nameEnd + 1;
  const int16 = (): number => view.readInt16BE((at += 2) - 2);
  const formats = Array.from({ length: int16() }, int16);
  const values = Array.from({ length: int16() }, (_, index) => {
    const length = view.readInt32BE(at);
    at += 4;
    if (length === -1) return null;
    const value = view.subarray(at, (at += length));
    return formats[index] === 1 ? [...value] : value.toString("utf8");
  });
  expect(int16()).toBe(0);
  expect(at).toBe(view.length);
  return { name, formats, values };
}

function bound(...values: SqlValue[]) {
  const writer = createMessageWriter();
  writer.bind("a", values);
  return readBind(writer.bytes());
}

describe("messages to PostgreSQL", () => {
  it("carries text of every length and script", () => {
    const texts = [
      "",
      "short",
      "kürzer",
      "日本語",
      "😀",
      "a".repeat(41),
      "é".repeat(41),
      "界".repeat(20_000),
      "x".repeat(99_999),
    ];
    expect(bound(...texts)).toEqual({ name: "a", formats: [], values: texts });
  });

  it("replaces what UTF-8 or PostgreSQL cannot hold", () => {
    expect(bound("a\0b", "\uD800", `${"a".repeat(50)}\0`).values).toEqual([
      "a\uFFFDb",
      "\uFFFD",
      `${"a".repeat(50)}\uFFFD`,
    ]);
  });

  it("sends numbers as text, bytes as they are, and null", () => {
    expect(bound(-1.5, 2 ** 53, null, new Uint8Array([0, 255])).values).toEqual([
      "-1.5",
      "9007199254740992",
      null,
      [0, 255],
    ]);
    expect(bound("text", new Uint8Array([7])).formats).toEqual([0, 1]);
  });

  it("carries rows for a copy, with whole numbers as eight bytes", () => {
    const writer = createMessageWriter();
    const most = Number.MAX_SAFE_INTEGER;
    writer.copy(["text", "bigint"], ["é", 7, null, -1, "b\0", 2 ** 32 + 5, "", null, "c", -most]);
    const view = Buffer.from(writer.bytes());
    expect(String.fromCharCode(view[0]!)).toBe("d");
    const data = view.subarray(5, view.readInt32BE(1) + 1);
    expect(data.subarray(0, 19)).toEqual(Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1"));
    let at = 19;
    const value = (type: "text" | "bigint") => {
      const length = data.readInt32BE((at += 4) - 4);
      if (length === -1) return null;
      const bytes = data.subarray(at, (at += length));
      return type === "text" ? bytes.toString("utf8") : bytes.readBigInt64BE();
    };
    const rows = Array.from({ length: 5 }, () => {
      expect(data.readInt16BE((at += 2) - 2)).toBe(2);
      return [value("text"), value("bigint")];
    });
    expect(rows).toEqual([
      ["é", 7n],
      [null, -1n],
      ["b\uFFFD", 2n ** 32n + 5n],
      ["", null],
      ["c", -BigInt(most)],
    ]);
    expect(data.readInt16BE(at)).toBe(-1);
    expect(at + 2).toBe(data.length);
    expect([...view.subarray(data.length + 5)]).toEqual([99, 0, 0, 0, 4]);
  });

  it.each([1.5, Number.NaN, 2 ** 53, "7", new Uint8Array(8)])("copies no %s as a whole number", (value) => {
    expect(() => createMessageWriter().copy(["bigint"], [value])).toThrow("whole number");
  });

  it("sends a large copy in several messages, each with whole rows", () => {
    const writer = createMessageWriter();
    const long = "x".repeat(400_000);
    writer.copy(["text"], [long, long, long, long, "last"]);
    const view = Buffer.from(writer.bytes());
    const lengths: number[] = [];
    let data = Buffer.alloc(0);
    let at = 0;
    for (; view[at] === "d".charCodeAt(0); at += lengths.at(-1)! + 1) {
      lengths.push(view.readInt32BE(at + 1));
      data = Buffer.concat([data, view.subarray(at + 5, at + 1 + lengths.at(-1)!)]);
    }
    expect(lengths).toHaveLength(2);
    expect(data.length).toBe(19 + 4 * (2 + 4 + long.length) + (2 + 4 + 4) + 2);
    expect([...view.subarray(at)]).toEqual([99, 0, 0, 0, 4]);
  });

  it("keeps earlier messages when the buffer grows, and none after clear", () => {
    const writer = createMessageWriter();
    writer.bind("first", ["kept"]);
    const { length } = writer.bytes();
    writer.bind("second", ["y".repeat(1_000_000)]);
    expect(readBind(writer.bytes().subarray(0, length)).values).toEqual(["kept"]);
    expect(readBind(writer.bytes().subarray(length)).values).toEqual(["y".repeat(1_000_000)]);
    writer.clear();
    writer.sync();
    expect([...writer.bytes()]).toEqual([..."S"].map((each) => each.charCodeAt(0)).concat(0, 0, 0, 4));
  });
});
