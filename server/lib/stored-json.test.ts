import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { StoredJson, streamJson } from "./stored-json.ts";

const stored = (json: string) =>
  new StoredJson(() => Promise.resolve(Readable.from([Buffer.from(json)])), "link");

test("stored values are sent in their places, between the text around them", async () => {
  const body = streamJson((place) => ({
    a: place(stored("[1,2]")),
    b: place("b"),
    c: [place(stored('"ü"'))],
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
  const body = streamJson((place) => ({ a: place(value("a")), b: place(value("b")) })) as Readable;
  expect(opened).toEqual([]);
  await text(body);
  expect(opened).toEqual(["a", "b"]);
});

test("without stored values it is text, and a stored value outside its place is a link", () => {
  expect(streamJson((place) => ({ a: place(1) }))).toBe('{"a":1}');
  expect(JSON.stringify({ a: stored("1") })).toBe('{"a":"link"}');
});
