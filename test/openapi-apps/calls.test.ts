import { expect, test } from "vitest";
import { createResolver } from "../../server/openapi-apps/read-document.ts";
import { callEveryAction } from "./calls.ts";
import { problemsOf } from "./request-problems.ts";

const text = { type: "string" };
const content = (type: string) => ({
  required: true,
  content: {
    [type]: {
      schema: {
        type: "object",
        required: ["name"],
        properties: { name: text, nested: { properties: { a: text } } },
      },
    },
  },
});
const operations = {
  "/items/{id}": {
    parameters: [{ name: "id", in: "path", required: true, schema: text }],
    get: {
      parameters: [
        { name: "q", in: "query", required: true, schema: text },
        { name: "tags", in: "query", schema: { type: "array", items: text } },
        {
          name: "created",
          in: "query",
          style: "deepObject",
          schema: { properties: { gte: { type: "integer" } } },
        },
        { name: "X-Trace", in: "header", required: true, schema: text },
      ],
    },
    put: { requestBody: content("application/json") },
    post: { requestBody: content("application/x-www-form-urlencoded") },
    patch: { requestBody: content("application/merge-patch+json") },
    delete: {},
  },
};
const document = {
  openapi: "3.0.0",
  servers: [{ url: "https://api.example" }],
  paths: operations,
};

test("every action of a document sends what the document describes, over HTTP", async () => {
  expect(await callEveryAction(JSON.stringify(document))).toEqual({ called: 5, skipped: 0, problems: [] });
});

test("a request that differs from the document is named", () => {
  const { get, put, parameters: shared } = operations["/items/{id}"];
  const resolve = createResolver(document);
  const given = { path: "/items/{id}", shared };
  const sent = { method: "GET", url: "/item/1?other=1", headers: {}, body: "{}" };
  expect(problemsOf({ ...given, method: "get", operation: get }, sent, resolve)).toEqual([
    "path /item/1",
    "query q is missing",
    "header X-Trace is missing",
    "query other is not described",
    "a body is sent",
  ]);
  const json = { method: "PUT", url: "/items/1", headers: { "content-type": "application/json" } };
  expect(
    problemsOf({ ...given, method: "put", operation: put }, { ...json, body: '{"x":1}' }, resolve),
  ).toEqual(["field x is not described", "field name is missing"]);
});
