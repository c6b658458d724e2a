import { expect, test } from "vitest";
import { numbered } from "./journal-entry.ts";

test("an entry gets its number and a value for everything it does not say", () => {
  expect(numbered(3, { kind: "status", status: "completed", at: 9 })).toEqual({
    seq: 3,
    kind: "status",
    path: "",
    type: "",
    status: "completed",
    attempt: 0,
    final: false,
    input: null,
    output: null,
    outputRef: null,
    error: null,
    extra: null,
    due: null,
    startedAt: null,
    at: 9,
  });
});

test("an entry keeps all that it says", () => {
  const entry = {
    kind: "step",
    path: "each[3]/a",
    type: "http",
    status: "failed",
    attempt: 2,
    final: true,
    input: "1",
    output: "2",
    outputRef: "r",
    error: { code: "http_error", message: "m" },
    extra: { response: {} },
    due: 5,
    startedAt: 4,
    at: 9,
  } as const;
  expect(numbered(1, entry)).toEqual({ seq: 1, ...entry });
});
