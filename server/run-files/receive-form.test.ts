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

test("fields are limited together", async () => {
  const field = (name: string): FormPart => ({ type: "field", fieldname: name, value: "x".repeat(40) });
  const receiveAll = (names: string[]) =>
    receiveForm(
      Readable.from(names.map(field)),
      "user_a",
      { create: () => Promise.reject(new Error()) },
      100,
    );
  expect(Object.keys((await receiveAll(["a", "b"])).input)).toEqual(["a", "b"]);
  await expect(receiveAll(["a", "b", "c"])).rejects.toMatchObject({ code: "payload_too_large" });
});
