import { expect, test } from "vitest";
import { stepTypes } from "./catalogue.ts";
import { commonFields } from "./common.ts";
import { shortcutOf } from "./fields.ts";

const texts =
  "text GET get read eq approve fail all http://x HTTPS://x ftp://x {{input.a}} {{ 2030-01-31T09:00:00Z never".split(
    " ",
  );
const numbers = [0, 1, -1, 0.5, 50, 51, 100, 101, 1e12, NaN, Infinity, -Infinity];
const others = [
  "",
  " ",
  " http://x",
  "{{input.a}} and more",
  true,
  false,
  null,
  undefined,
  {},
  [],
  ["a"],
  { a: 1 },
  { a: {} },
];
const values: unknown[] = [...texts, ...numbers, ...others];

test("a shortcut accepts no value that its schema rejects", () => {
  const fields = [commonFields, ...stepTypes.map((stepType) => stepType.fields)].flatMap((group) =>
    Object.entries(group),
  );
  expect(fields.filter(([, schema]) => shortcutOf(schema) !== undefined).length).toBeGreaterThan(20);
  for (const [field, schema] of fields)
    for (const value of values)
      if (shortcutOf(schema)?.(value))
        expect([field, value, schema.safeParse(value).success]).toEqual([field, value, true]);
});

test("a rejected value gets the message of its field, not that of the schema library", () => {
  for (const stepType of stepTypes)
    for (const [field, schema] of Object.entries(stepType.fields))
      for (const value of values) {
        if (value === undefined) continue;
        const messages = schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];
        expect([stepType.type, field, value, messages.filter((text) => /^(Invalid|Too)/.test(text))]).toEqual(
          [stepType.type, field, value, []],
        );
      }
});
