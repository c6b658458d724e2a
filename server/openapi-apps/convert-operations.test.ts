import { expect, test } from "vitest";
import { convertDocument, MAX_OPERATIONS } from "./convert-document.ts";
import { packDocument } from "./pack-document.ts";
import { readDocument } from "./read-document.ts";

const base = {
  openapi: "3.1.0",
  info: { title: "Shop" },
  servers: [{ url: "https://shop.example/v1" }],
};
const convert = (document: object) =>
  convertDocument(readDocument(JSON.stringify({ ...base, ...document })), { id: "api_shop" });
const actionOf = (operation: object, more: object = {}) =>
  Object.values(convert({ paths: { "/items": { get: operation } }, ...more }).app.actions)[0]!;
const answers = (schema: object, more: object = {}) => ({
  responses: { 200: { ...more, content: { "application/json": { schema } } } },
});
const list = { type: "array", items: { type: "object", properties: { id: { type: "integer" } } } };

test("lists and objects of the query are sent as the document says", () => {
  const query = (name: string, more: object) => ({ name, in: "query", ...more });
  const { request, input } = actionOf({
    parameters: [
      query("tags", { schema: { type: "array", items: { type: "string" } } }),
      query("ids", { explode: false, schema: { type: "array", items: { type: "string" } } }),
      query("expand", { style: "deepObject", schema: { type: "array", items: { type: "string" } } }),
      query("created", {
        style: "deepObject",
        schema: {
          anyOf: [{ type: "object", properties: { gte: { type: "integer" } } }, { type: "integer" }],
        },
      }),
      query("where", { content: { "application/json": { schema: { type: "object" } } } }),
    ],
  });
  expect(request.query).toEqual({
    tags: "{{input.tags}}",
    ids: "{{input.ids}}",
    "expand[]": "{{input.expand}}",
    "created[gte]": "{{input.created_gte}}",
    where: "{{input.where}}",
  });
  expect(input).toMatchObject({
    tags: { type: "array" },
    ids: { type: "string", description: "Separate several with commas." },
    expand: { type: "array" },
    created_gte: { type: "integer" },
    where: { type: "string", description: "As JSON." },
  });
});

test("deeper objects of the query are names in brackets, and what has no such form is JSON", () => {
  const address = { type: "object", properties: { city: { type: "string" } } };
  const lines = { type: "array", items: { type: "object", properties: { amount: { type: "integer" } } } };
  const details = {
    type: "object",
    properties: { address, tags: { type: "array", items: { type: "string" } }, lines },
  };
  const { request, input } = actionOf({
    parameters: [
      { name: "details", in: "query", style: "deepObject", schema: details },
      { name: "filters", in: "query", schema: lines },
    ],
  });
  expect(request.query).toEqual({
    "details[address][city]": "{{input.details_address_city}}",
    "details[tags][]": "{{input.details_tags}}",
    "details[lines]": "{{input.details_lines}}",
    filters: "{{input.filters}}",
  });
  expect(input["details_lines"]).toMatchObject({ type: "string", description: "As JSON." });
  expect(input["filters"]).toMatchObject({ type: "string", description: "As JSON." });
});

test("a body has the type that the document names", () => {
  const withBody = (type: string, schema: object) =>
    Object.values(
      convert({ paths: { "/a": { put: { requestBody: { content: { [type]: { schema } } } } } } }).app.actions,
    )[0]!;
  const patch = withBody("application/json-patch+json", { type: "array", items: { type: "object" } });
  expect(patch.request.headers).toEqual({ "content-type": "application/json-patch+json" });
  expect(withBody("image/png", { type: "string" }).request.headers).toEqual({ "content-type": "image/png" });
  // Any JSON: a text would be sent without its quotes.
  expect(withBody("application/json", {}).input["body"]).toMatchObject({ type: "object" });
  expect(withBody("application/json", { properties: { a: {} } }).request).not.toHaveProperty("headers");
});

test.each([
  [
    "a Link header",
    {
      parameters: [
        { name: "per_page", in: "query", description: "Results (max 100)", schema: { type: "integer" } },
      ],
      ...answers(list, { headers: { Link: {} } }),
    },
    { items: "{{body}}", paging: { kind: "link", size: 100 }, query: { per_page: "{{pageSize}}" } },
  ],
  [
    "an address of the next page",
    answers({ type: "object", properties: { next_page_uri: { type: "string" }, calls: list } }),
    { items: "{{body.calls}}", paging: { kind: "next_url", size: 100, next: "{{body.next_page_uri}}" } },
  ],
  [
    "a cursor",
    {
      parameters: [{ name: "cursor", in: "query" }],
      ...answers({ type: "object", properties: { next_cursor: { type: "string" }, users: list } }),
    },
    {
      items: "{{body.users}}",
      paging: { kind: "cursor", size: 100, cursor: "{{body.next_cursor}}" },
      query: { cursor: "{{cursor}}" },
    },
  ],
  [
    "the last id",
    {
      parameters: [
        { name: "starting_after", in: "query" },
        { name: "limit", in: "query", schema: { type: "integer", maximum: 50 } },
      ],
      ...answers({ type: "object", properties: { has_more: { type: "boolean" }, data: list } }),
    },
    {
      items: "{{body.data}}",
      paging: { kind: "cursor", size: 50, cursor: "{{last.id}}", more: "{{body.has_more}}" },
      query: { starting_after: "{{cursor}}", limit: "{{pageSize}}" },
    },
  ],
])("a list with %s has pages", (_how, operation, { items, paging, query }: any) => {
  const action = actionOf(operation);
  expect(action).toMatchObject({ items, paging, sample: [{ id: 1 }] });
  expect(action.request.query).toEqual(query);
  expect(action.input).toEqual({});
});

test("a list without a described way to its pages returns the body", () => {
  expect(actionOf(answers(list))).not.toHaveProperty("paging");
  const two = { type: "object", properties: { next_url: { type: "string" }, a: list, b: list } };
  expect(actionOf(answers(two))).not.toHaveProperty("paging");
});

test("a sample is the example of the document, or is made from the schema", () => {
  const content = (given: object) => ({ responses: { 201: { content: { "application/json": given } } } });
  expect(actionOf(content({ examples: { one: { value: { id: 5 } } } })).sample).toEqual({ id: 5 });
  const node: object = {
    type: "object",
    properties: {
      id: { type: "integer", example: 7 },
      at: { type: "string", format: "date-time" },
      tags: { type: "array", items: { enum: ["a", "b"] } },
      parent: { $ref: "#/components/schemas/Node" },
    },
  };
  const schema = { $ref: "#/components/schemas/Node" };
  const made = actionOf(content({ schema }), { components: { schemas: { Node: node } } });
  expect(made.sample).toEqual({ id: 7, at: "2026-01-31T12:00:00Z", tags: ["a"] });
  const large = { type: "array", items: { type: "string", example: "x".repeat(5000) } };
  expect(
    JSON.stringify(actionOf(content({ schema: large, example: ["y".repeat(9000)] })).sample).length,
  ).toBeLessThan(3000);
});

test("an operation with a server of its own is called there, and its host may get the credential", () => {
  const { app } = convert({
    paths: {
      "/files": { post: { servers: [{ url: "https://upload.shop.example/v2/" }] } },
      "/old": { servers: [{ url: "/v0" }], get: {} },
    },
  });
  expect(app.actions["post_files"]!.request.path).toBe("https://upload.shop.example/v2/files");
  expect(app.actions["get_old"]!.request.path).toBe("https://shop.example/v0/old");
  expect(app.hosts).toEqual(["shop.example", "upload.shop.example"]);
});

test("a server without TLS is bound to its port", () => {
  const { app } = convert({ servers: [{ url: "http://shop.example" }], paths: { "/a": { get: {} } } });
  expect(app.hosts).toEqual(["shop.example:80"]);
});

test("operations without a security requirement need no connection", () => {
  const components = { securitySchemes: { key: { type: "http", scheme: "bearer" } } };
  const needs = (operation: object, more: object) => actionOf(operation, more).public !== true;
  expect(needs({}, { components, security: [{ key: [] }] })).toBe(true);
  expect(needs({}, { components })).toBe(true);
  expect(needs({ security: [] }, { components, security: [{ key: [] }] })).toBe(false);
  expect(needs({ security: [{}, { key: [] }] }, { components })).toBe(false);
  // A document that says nothing about logins may still need one.
  expect(needs({}, {})).toBe(false);
  expect(convert({ paths: { "/a": { get: {} } } }).app.auth.map(({ kind }) => kind)).toEqual([
    "bearer",
    "basic",
  ]);
});

test("names of prototypes are names like any other", () => {
  const text = JSON.stringify({
    ...base,
    paths: {
      "/a": {
        post: {
          operationId: "constructor",
          parameters: [{ name: "__proto__", in: "query", schema: { type: "string" } }],
          requestBody: {
            content: {
              "application/json": { schema: { properties: { PROTO: { type: "string" }, toString: {} } } },
            },
          },
        },
      },
      "/b": { get: { operationId: "__proto__" } },
      "/c": { get: { operationId: "hasOwnProperty" } },
    },
  }).replace("PROTO", "__proto__");
  const { actions } = convertDocument(readDocument(text), { id: "api_x" }).app;
  expect(Object.keys(actions)).toEqual(["constructor", "proto", "has_own_property"]);
  const { request, input } = actions["constructor"]!;
  expect(Object.entries(request.query ?? {})).toEqual([["__proto__", "{{input.proto}}"]]);
  expect(Object.entries(request.body as object)).toEqual([
    ["__proto__", "{{input.proto_2}}"],
    ["toString", "{{input.field_toString}}"],
  ]);
  expect(Object.keys(input)).toEqual(["proto", "proto_2", "field_toString"]);
  expect(({} as Record<string, unknown>)["toString"]).toBe(Object.prototype.toString);
});

test("a document with 50,000 operations keeps as many as are allowed and says so", () => {
  const paths = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`/p${i}`, { get: {} }]));
  const packed = packDocument(convert({ paths }));
  expect([packed.operationCount, packed.actions.length, packed.refused.length]).toEqual([
    50_000,
    MAX_OPERATIONS,
    200,
  ]);
  expect(packed.refused[0]!.reason).toBe(`only ${MAX_OPERATIONS} operations are used`);
});

test("operations with the same id have different actions, the same ones after a refresh", () => {
  const same = { get: { operationId: "get" } };
  const ids = () => Object.keys(convert({ paths: { "/a": same, "/b": same, "/c": same } }).app.actions);
  expect(new Set(ids()).size).toBe(3);
  expect(ids()).toEqual(ids());
});

test("references to files and other hosts are not followed", () => {
  const { input, sample } = actionOf({
    parameters: [{ $ref: "file:///etc/passwd" }, { $ref: "https://evil.example/p.json#/p" }],
    ...answers({ $ref: "http://169.254.169.254/latest" }),
  });
  expect([input, sample]).toEqual([{}, null]);
});
