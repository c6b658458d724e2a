import { expect, test } from "vitest";
import { readCustomResponse } from "./custom-response.ts";

test("status, headers and body have defaults by the kind of the body", async () => {
  expect(await readCustomResponse({})).toEqual({
    statusCode: 200,
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: "",
  });
  expect(await readCustomResponse({ statusCode: 201, body: { id: 7 } })).toEqual({
    statusCode: 201,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: '{"id":7}',
  });
  expect(
    await readCustomResponse({ headers: { "Content-Type": "text/xml", "X-Count": 3 }, body: "<a/>" }),
  ).toMatchObject({ headers: { "content-type": "text/xml", "x-count": "3" }, body: "<a/>" });
});

test("a response that resets content has no body", async () => {
  expect(await readCustomResponse({ statusCode: 205, body: { id: 7 } })).toMatchObject({ body: "" });
});

test.each([
  "Connection",
  "transfer-encoding",
  "Content-Length",
  "Set-Cookie",
  "set-cookie2",
  "Strict-Transport-Security",
  "content-security-policy",
  "content-security-policy-report-only",
  "Access-Control-Allow-Origin",
  "cross-origin-resource-policy",
  "x-content-type-options",
  "x-frame-options",
  "X-Accel-Redirect",
  "x-sendfile",
  "x-request-id",
  "proxy-authenticate",
  "bad name",
  "bad:name",
  "",
])("the header %j is not allowed", async (name) => {
  expect(await readCustomResponse({ headers: { [name]: "1" } })).toBe(
    `the header ${name.toLowerCase()} is not allowed`,
  );
});

test("a header with a line break, a list or a long value is not allowed", async () => {
  for (const value of ["a\r\nset-cookie: b=1", "a\nb", "a\0", "Ā", ["a"], { a: 1 }, null, "x".repeat(4_001)])
    expect(await readCustomResponse({ headers: { "x-note": value } })).toBe(
      "the header x-note is not allowed",
    );
});

test("an output of another form is explained", async () => {
  for (const output of [null, "text", 7, ["a"]])
    expect(await readCustomResponse(output)).toMatch(/^it is not an object/);
  for (const statusCode of [0, 101, 199, 600, 200.5, "200", null])
    expect(await readCustomResponse({ statusCode })).toBe("statusCode is not a whole number from 200 to 599");
  expect(await readCustomResponse({ headers: [] })).toBe("headers is not an object");
  expect(await readCustomResponse({ status: 200 })).toBe("it has the unknown field status");
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`x-${n}`, "1"]));
  expect(await readCustomResponse({ headers: many })).toBe("it has more than 50 headers");
});
