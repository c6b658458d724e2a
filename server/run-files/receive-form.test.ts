import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { type FormPart, receiveForm } from "./receive-form.ts";

const receive = (value: string) => {
  const parts: FormPart[] = [{ type: "field", fieldname: "input", value }];
  return receiveForm(Readable.from(parts), "user_a", { create: () => Promise.reject(new Error("No file.")) });
};

test.each([
  ["too deep", `{"a":${"[".repeat(250)}${"]".repeat(250)}}`, "is nested too deeply"],
  ["a nested __proto__", '{"a":{"\\u005f_proto__":{"b":1}}}', "is not valid JSON"],
  ["a number that is too large", '{"a":1e999}', "a number that is too large"],
  ["a list", "[]", "is not a JSON object"],
  ["no JSON", "{", "is not valid JSON"],
])("the field input is refused: %s", async (_case, value, message) => {
  await expect(receive(value)).rejects.toThrow(message);
});

test("the field input is the input", async () => {
  expect((await receive('{"a":{"b":[1]}}')).input).toEqual({ a: { b: [1] } });
});

const receiveFields = (fields: [name: string, value: string][], maxTextBytes?: number) => {
  const parts = fields.map(([fieldname, value]): FormPart => ({ type: "field", fieldname, value }));
  const runFiles = { create: () => Promise.reject(new Error("No file.")) };
  return receiveForm(Readable.from(parts), "user_a", runFiles, maxTextBytes);
};

test("fields are limited together, by their bytes", async () => {
  const text = "€".repeat(13);
  const [a, b, c] = ["a", "b", "c"].map((name): [string, string] => [name, text]);
  expect(Object.keys((await receiveFields([a!, b!], 100)).input)).toEqual(["a", "b"]);
  await expect(receiveFields([a!, b!, c!], 100)).rejects.toMatchObject({ code: "payload_too_large" });
});

test("two forms are the same when all values of their fields are, also of a name that occurs twice", async () => {
  const fingerprint = async (...tags: string[]) =>
    (await receiveFields([["a", "1"], ...tags.map((tag): [string, string] => ["tag", tag])])).fingerprint;
  expect(await fingerprint("x", "y")).toEqual(await fingerprint("x", "y"));
  expect(await fingerprint("x", "y")).not.toEqual(await fingerprint("x", "z"));
});
