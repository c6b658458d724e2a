import { expect, test } from "vitest";
import { MAX_DOCUMENT_BYTES } from "../../contract/api-apps.ts";
import { convertDocument } from "./convert-document.ts";
import { readOpenApiDocument } from "./document-reader.ts";
import { changesBetween, packDocument } from "./pack-document.ts";
import { readDocument } from "./read-document.ts";

const base = {
  openapi: "3.1.0",
  info: { title: "Shop" },
  servers: [{ url: "https://{region}.shop.example/v1/", variables: { region: { default: "eu" } } }],
};
const convert = (document: object, sourceUrl?: string) =>
  convertDocument(readDocument(JSON.stringify({ ...base, ...document })), { id: "api_shop", sourceUrl });
const operation = (given: object, path = "/items", method = "post") =>
  Object.values(convert({ paths: { [path]: { [method]: given } } }).app.actions)[0]!;
const refs = ($ref: string) => Array.from({ length: 300 }, () => ({ $ref }));
const body = (schema: object, type = "application/json") => ({
  requestBody: { required: true, content: { [type]: { schema } } },
});

test("parameters and properties of the body are fields; the request has the vendor's names", () => {
  const action = operation(
    {
      operationId: "Items.updateOne",
      summary: "Update an item",
      tags: ["items"],
      parameters: [
        { name: "filter[name]", in: "query", schema: { type: ["string", "null"], enum: ["a", "b", null] } },
        { name: "X-Trace", in: "header", schema: { type: "string" } },
        { name: "Authorization", in: "header", required: true, schema: { type: "string" } },
        { $ref: "#/paths/~1items~1{item-id}/parameters/0" },
      ],
      ...body({
        allOf: [
          { type: "object", required: ["title"], properties: { title: { type: "string", maxLength: 9 } } },
          { properties: { "price.net": { type: "number", minimum: 0 }, id: { readOnly: true } } },
        ],
      }),
    },
    "/items",
  );
  expect(action.title).toBe("Update an item");
  expect(action.request).toEqual({
    method: "POST",
    path: "/items",
    query: { "filter[name]": "{{input.filter_name}}" },
    headers: { "X-Trace": "{{input.X_Trace}}" },
    body: { title: "{{input.title}}", "price.net": "{{input.price_net}}" },
  });
  expect(action.input).toMatchObject({
    filter_name: { type: "string", enum: ["a", "b"], title: "Filter name", advanced: true },
    title: { type: "string", maxLength: 9, required: true },
    price_net: { type: "number", minimum: 0 },
  });
});

test("one of several keys is chosen by name, and headers that are needed together are one login", () => {
  const key = (name: string) => ({ type: "apiKey", in: "header", name });
  const paths = { "/me": { get: { security: [{ token: [], tenant: [] }] } } };
  const components = {
    securitySchemes: {
      key: key("X-Key"),
      app: key("X-App"),
      partner: key("X-Partner"),
      token: { type: "http", scheme: "bearer" },
      tenant: key("X-Tenant"),
      query: { type: "apiKey", in: "query", name: "q" },
    },
  };
  const security = [{ key: [], app: [] }, { partner: [] }, { key: [], query: [] }, { token: [] }];
  expect(convert({ paths, components, security }).app.auth).toEqual([
    { kind: "headers", names: ["X-App", "X-Key"] },
    { kind: "headers", names: ["Authorization", "X-Tenant"] },
    { kind: "api_key", in: "header", name: "X-Partner", title: "API key (X-Partner)" },
    { kind: "bearer" },
    { kind: "api_key", in: "query", name: "q", title: "API key (q)" },
  ]);
});

test("servers, logins and ids come from the document", () => {
  const { app } = convert({
    paths: {
      "/items/{item-id}": {
        parameters: [{ name: "item-id", in: "path", schema: { type: "string" } }],
        get: { operationId: "getItem" },
        delete: {},
      },
      "/me": { get: { operationId: "getItem" } },
    },
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "Bearer", description: "From the settings" },
        key: { type: "apiKey", in: "query", name: "key" },
        cookie: { type: "apiKey", in: "cookie", name: "sid" },
        oauth: {
          type: "oauth2",
          flows: {
            authorizationCode: {
              authorizationUrl: "https://shop.example/authorize",
              tokenUrl: "https://shop.example/token",
              scopes: { read: "Read" },
            },
          },
        },
        plain: {
          type: "oauth2",
          flows: {
            authorizationCode: { authorizationUrl: "http://a.example", tokenUrl: "http://a.example" },
          },
        },
      },
    },
  });
  expect(app).toMatchObject({
    id: "api_shop",
    baseUrl: "https://eu.shop.example/v1",
    hosts: ["eu.shop.example"],
  });
  expect(Object.keys(app.actions)).toEqual([
    "get_item",
    "delete_items_item_id",
    expect.stringMatching(/^get_item_\w{8}$/),
  ]);
  expect(app.actions["get_item"]!.request.path).toBe("/items/{{input.item_id}}");
  expect(app.test.request.path).toBe("/me");
  expect(app.auth).toEqual([
    { kind: "bearer", help: "From the settings" },
    { kind: "api_key", in: "query", name: "key" },
    {
      kind: "oauth2",
      authorizationUrl: "https://shop.example/authorize",
      tokenUrl: "https://shop.example/token",
      scopes: ["read"],
    },
  ]);
});

test("each flow of OAuth 2.0 that needs no password of the user is a way to log in", () => {
  const schemes = (securitySchemes: object) =>
    convert({ paths: { "/me": { get: {} } }, components: { securitySchemes } }).app.auth;
  const clientCredentials = { tokenUrl: "https://login.example/token", scopes: { read: "Read", write: "" } };
  const client = {
    kind: "oauth2",
    grant: "client_credentials",
    tokenUrl: "https://login.example/token",
    scopes: ["read", "write"],
    clientAuthentication: "basic",
  };
  const authorizationCode = { ...clientCredentials, authorizationUrl: "https://login.example/authorize" };
  const flows = { authorizationCode, clientCredentials, password: clientCredentials };
  expect(schemes({ oauth: { type: "oauth2", flows, description: "Ask for a client" } })).toEqual([
    {
      kind: "oauth2",
      authorizationUrl: "https://login.example/authorize",
      tokenUrl: "https://login.example/token",
      scopes: ["read", "write"],
      help: "Ask for a client",
    },
    { ...client, help: "Ask for a client" },
  ]);
  // Swagger 2, and an address that is relative to the server.
  const application = { type: "oauth2", flow: "application", ...clientCredentials, tokenUrl: "/token" };
  expect(schemes({ application })).toEqual([{ ...client, tokenUrl: "https://eu.shop.example/token" }]);
  const ownToken = [{ kind: "bearer" }];
  for (const tokenUrl of ["http://a.example/token", "https://{{connection.x}}/token", "ftp://a/b", "", 1])
    expect(schemes({ a: { type: "oauth2", flows: { clientCredentials: { tokenUrl } } } })).toEqual(ownToken);
  const implicit = { authorizationUrl: "https://login.example/authorize", scopes: {} };
  for (const flows of [{ clientCredentials: 1 }, { password: clientCredentials }, { implicit }])
    expect(schemes({ a: { type: "oauth2", flows } })).toEqual(ownToken);
  const openIdConnectUrl = "https://login.example/.well-known/openid-configuration";
  expect(schemes({ a: { type: "openIdConnect", openIdConnectUrl } })).toEqual(ownToken);
});

test("Swagger 2 and YAML", () => {
  const yaml = `
swagger: "2.0"
info: {title: Old}
host: old.example
basePath: /api
schemes: [http, https]
paths:
  /files:
    post:
      parameters:
        - {name: file, in: formData, type: file, required: true}
        - {name: note, in: formData, type: string}
  /items:
    post:
      parameters:
        - {name: item, in: body, required: true, schema: {type: array, items: {type: integer}}}
`;
  const { app } = convertDocument(readDocument(yaml), { id: "api_old" });
  expect(app.baseUrl).toBe("https://old.example/api");
  expect(app.actions["post_files"]).toMatchObject({
    request: { multipart: { file: "{{input.file}}", note: "{{input.note}}" } },
    input: { file: { type: "object", format: "file", required: true } },
  });
  expect(app.actions["post_items"]).toMatchObject({
    request: { body: "{{input.body}}" },
    input: { body: { type: "array", items: { type: "integer" }, required: true } },
  });
});

test("a schema that contains itself ends, and references elsewhere are not followed", () => {
  const { app } = convert({
    paths: {
      "/tree": {
        post: body({ $ref: "#/components/schemas/Node" }),
      },
      "/other": {
        post: body({ type: "object", properties: { far: { $ref: "https://evil.example/schema.json" } } }),
      },
    },
    components: {
      schemas: {
        Node: {
          type: "object",
          properties: {
            child: { $ref: "#/components/schemas/Node" },
            loop: { $ref: "#/components/schemas/Loop" },
          },
        },
        Loop: { $ref: "#/components/schemas/Loop" },
      },
    },
  });
  expect(app.actions["post_tree"]!.input).toMatchObject({
    child: { type: "object", properties: { child: { type: "object" } } },
    loop: { type: "object" },
  });
  expect(app.actions["post_tree"]!.input["child"]!.properties!["child"]).toEqual({ type: "object" });
  expect(app.actions["post_other"]!.input["far"]).toMatchObject({ type: "object" });
});

test("operations that cannot be actions are listed with the reason", () => {
  const { refused, operations, app } = convert({
    paths: {
      "/ok": { get: {} },
      "/xml": { post: body({}, "text/xml") },
      "/a/{b}": { get: {} },
      "/{{connection.secret}}": { get: {} },
      "/cookie": { get: { parameters: [{ name: "sid", in: "cookie", required: true }] } },
    },
  });
  expect([operations, Object.keys(app.actions)]).toEqual([5, ["get_ok"]]);
  expect(refused.map(({ reason }) => reason)).toEqual([
    "its body is text/xml",
    "its path has a parameter that is not described",
    "its path is not valid",
    "it needs a cookie",
  ]);
});

test.each([
  ["[]", /not an object/],
  ["{", /not valid JSON/],
  ["a: [", /not valid YAML/],
  ['{"openapi": "4.0.0", "paths": {}}', /names no version/],
  ['{"openapi": "3.0.0"}', /no paths/],
  ['{"openapi": "3.0.0", "paths": {"/a": {"get": {}}}}', /names no server/],
  [
    '{"openapi": "3.0.0", "servers": [{"url": "file:///etc"}], "paths": {"/a": {"get": {}}}}',
    /names no server/,
  ],
  ['{"openapi": "3.0.0", "servers": [{"url": "https://a.example"}], "paths": {}}', /none of its operations/],
])("%s is refused", async (text, message) => {
  await expect(readOpenApiDocument(text, { id: "api_x" })).rejects.toMatchObject({
    code: "unreadable_document",
    message: expect.stringMatching(message),
  });
});

test.each(["[", "- ", "- {a: ", "? "])(
  "YAML of many nested %j is refused before it is composed",
  (opening) => {
    const refusal = "it is nested more than 200 levels deep";
    expect(() => readDocument(`${opening.repeat(50)}x`)).not.toThrow(refusal);
    expect(() => readDocument(`${opening.repeat(300)}x`)).toThrow(refusal);
  },
);

test("a relative server is that of the document's address", () => {
  const { app } = convert(
    { servers: [{ url: "/v2" }], paths: { "/a": { get: {} } } },
    "https://docs.example/spec/openapi.json",
  );
  expect(app.baseUrl).toBe("https://docs.example/v2");
});

test("documents that grow when they are read are refused in their thread", async () => {
  const laughs = [
    "a: &a [x, x]",
    ..."bcdefghijklmnopqrstuvw"
      .split("")
      .map(
        (name, i) => `${name}: &${name} [*${"abcdefghijklmnopqrstuv"[i]}, *${"abcdefghijklmnopqrstuv"[i]}]`,
      ),
  ];
  await expect(readOpenApiDocument(laughs.join("\n"), { id: "api_x" })).rejects.toMatchObject({
    code: "unreadable_document",
  });
  const wide = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`p${i}`, { $ref: "#/components/schemas/S" }]),
  );
  const bomb = {
    ...base,
    components: {
      schemas: {
        S: {
          type: "object",
          properties: { x: { allOf: refs("#/components/schemas/T") } },
        },
        T: { allOf: refs("#/components/schemas/U") },
        U: { allOf: refs("#/components/schemas/V") },
        V: { type: "object", properties: wide },
      },
    },
    paths: { "/a": { post: body({ $ref: "#/components/schemas/S" }) } },
  };
  await expect(readOpenApiDocument(JSON.stringify(bomb), { id: "api_x" })).rejects.toMatchObject({
    code: "unreadable_document",
  });
  await expect(readOpenApiDocument("x".repeat(MAX_DOCUMENT_BYTES + 1), { id: "api_x" })).rejects.toThrow(
    /larger than/,
  );
});

test("a refresh names added, removed and changed actions; reworded texts are no change", () => {
  const at = (paths: object) =>
    new Map(packDocument(convert({ paths })).actions.map(({ id, shape }) => [id, shape]));
  const before = at({ "/a": { get: { summary: "A" } }, "/b": { get: {} }, "/c": { get: {} } });
  const after = at({
    "/a": { get: { summary: "Reworded" } },
    "/b": { get: { parameters: [{ name: "q", in: "query", schema: { type: "string" } }] } },
    "/d": { get: {} },
  });
  expect(changesBetween(before, after)).toEqual({ added: ["get_d"], removed: ["get_c"], changed: ["get_b"] });
});
