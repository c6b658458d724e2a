import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { createMeasure } from "../../contract/placeholders/json-size.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { parseStored, StoredJson, streamJson } from "./stored-json.ts";

const stored = (json: string) =>
  new StoredJson(() => Promise.resolve(Readable.from([Buffer.from(json)])), "link");

test("stored values are sent in their places, between the text around them", async () => {
  const body = streamJson((embed) => ({
    a: embed(stored("[1,2]")),
    b: embed("b"),
    c: [embed(stored('"ü"'))],
  }));
  expect(body).toBeInstanceOf(Readable);
  expect(JSON.parse(await text(body as Readable))).toEqual({ a: [1, 2], b: "b", c: ["ü"] });
});

test("a stored value is opened only when the text before it has been read", async () => {
  const opened: string[] = [];
  const value = (name: string) =>
    new StoredJson(() => {
      opened.push(name);
      return Promise.resolve(Readable.from([Buffer.from("1")]));
    }, null);
  const body = streamJson((embed) => ({ a: embed(value("a")), b: embed(value("b")) })) as Readable;
  expect(opened).toEqual([]);
  await text(body);
  expect(opened).toEqual(["a", "b"]);
});

test("without a value to read it is text, and a stored value that is not embedded is a link", () => {
  const held = new StoredJson("[ 1 ]", "link");
  expect(streamJson((embed) => ({ a: embed(1), b: embed(held) }))).toBe('{"a":1,"b":[ 1 ]}');
  expect(JSON.stringify({ a: stored("1"), b: held })).toBe('{"a":"link","b":"link"}');
});

test("a result whose output has the most levels that an output may have is parsed", async () => {
  const output = `${"[".repeat(1000)}${"]".repeat(1000)}`;
  expect(createMeasure()(JSON.parse(output) as JsonValue, Infinity)).toBeLessThan(Infinity);
  const result = `{"output":${output},"outputs":{"a":${output}}}`;
  expect(JSON.stringify(await parseStored(new StoredJson(result, null)))).toBe(result);
});

test("stored values are parsed, others are returned", async () => {
  const values = [stored('{"a":[1]}'), new StoredJson("[2]", null), "text", null];
  expect(await Promise.all(values.map(parseStored))).toEqual([{ a: [1] }, [2], "text", null]);
});
