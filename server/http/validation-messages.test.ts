import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { emptyAsAbsent } from "../../contract/api.ts";
import { toValidationMessage } from "./validation-messages.ts";

beforeAll(() => void z.config({ customError: toValidationMessage }));
afterAll(() => void z.config({ customError: undefined }));

test.each([
  [z.string(), undefined, "is missing"],
  [z.string(), null, "must be text"],
  [z.int(), "5", "must be a number"],
  [z.int(), 1.5, "must be a whole number"],
  [z.boolean(), "yes", "must be true or false"],
  [z.array(z.string()), {}, "must be a list"],
  [z.record(z.string(), z.unknown()), [], "must be an object"],
  [z.string().min(8), "short", "must have at least 8 characters"],
  [z.string().max(2), "long", "must have at most 2 characters"],
  [z.array(z.string()).max(1), ["a", "b"], "must have at most 1 entry"],
  [z.array(z.string()).min(2), [], "must have at least 2 entries"],
  [z.string().min(1), "", "must have at least 1 character"],
  [z.number().min(1), 0, "must be at least 1"],
  [z.enum(["approve", "reject"]), "maybe", "must be one of approve, reject"],
  [z.literal("current"), "old", "must be current"],
  [z.iso.datetime(), "soon", "must be a time such as 2030-01-31T09:00:00Z"],
  [z.union([z.string(), z.number()]), undefined, "is missing"],
  [z.union([z.string(), z.number()]), [], "must be text or a number"],
  [z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]), { c: 1 }, "has an unsupported form"],
  [
    z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("b") })]),
    { kind: "c" },
    "must be one of a, b",
  ],
  [
    z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("b") })]),
    {},
    "is missing",
  ],
  [
    emptyAsAbsent(
      z
        .string()
        .transform((list) => list.split(","))
        .pipe(z.array(z.enum(["up", "down"]))),
    ),
    "up,left",
    "must be one of up, down",
  ],
  [emptyAsAbsent(z.coerce.number()), "soon", "must be a number"],
  [emptyAsAbsent(z.enum(["asc", "desc"])), "up", "must be one of asc, desc"],
  [z.string().min(1, "must not be empty"), "", "must not be empty"],
])("%# has a readable message", (schema, value, message) => {
  expect(schema.safeParse(value).error?.issues[0]?.message).toBe(message);
});
