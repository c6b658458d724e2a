import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { conforms } from "../server/http/openapi/conforms.ts";
import type { Schemas } from "../server/http/openapi/schema.ts";
import { lintWithRedocly } from "./support/openapi-linters.ts";
import { createTestApp, registerUser, type TestApp } from "./support/test-app.ts";

interface Media {
  schema?: { format?: string };
  example?: unknown;
}
interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: { in: string; name: string }[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, { description?: string; content?: Record<string, Media> }>;
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

const registered = new Set<string>();
let app: TestApp;
let document: Document;
let source: string;

/** Collects every route from Fastify itself, so that no route can be missing in the document. */
function watch(message: unknown): void {
  (message as { fastify: FastifyInstance }).fastify.addHook("onRoute", ({ method, url, schema }) => {
    const isPage = url.startsWith("/api/docs") || (schema as { hide?: boolean } | undefined)?.hide === true;
    for (const verb of [method].flat()) if (verb !== "HEAD" && !isPage) registered.add(`${verb} ${url}`);
  });
}

beforeAll(async () => {
  subscribe("fastify.initialization", watch);
  app = await createTestApp();
  unsubscribe("fastify.initialization", watch);
  source = (await app.anonymous.get("/api/openapi.json")).text;
  document = JSON.parse(source) as Document;
});
afterAll(() => app.close());

function operations(): [string, Operation][] {
  return Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]): [string, Operation] => [
      `${verb.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
      operation,
    ]),
  );
}

test("the document is OpenAPI 3.1 and lists exactly the registered routes", () => {
  expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "Baton", version: expect.any(String) } });
  expect(registered.size).toBeGreaterThan(20);
  expect(
    operations()
      .map(([name]) => name)
      .toSorted(),
  ).toEqual([...registered].toSorted());
});

test("every operation has an operationId of its own, and a tag that the document describes", () => {
  const ids = operations().map(([name, { operationId }]) => [name, operationId]);
  for (const id of ids) expect(id).toEqual([id[0], expect.stringMatching(/^[a-z]+([A-Z][a-z0-9]*)*$/)]);
  expect(new Set(ids.map(([, id]) => id)).size).toBe(ids.length);

  const described = document.tags
    .filter(({ description }) => description.length > 20)
    .map(({ name }) => name);
  const used = new Set(operations().flatMap(([, { tags }]) => tags ?? []));
  expect(described).toEqual([...new Set(described)]);
  expect(described.toSorted()).toEqual([...used].toSorted());
});

test("every operation has a description and an example of each body, its request and its response", () => {
  for (const [name, { description, requestBody, responses }] of operations()) {
    expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z0-9`].{15,}[.]$/s)]);
    const bodies = [requestBody, ...Object.values(responses)].flatMap((body) =>
      Object.entries(body?.content ?? {}),
    );
    for (const [mediaType, { schema, example }] of bodies)
      if (schema?.format !== "binary")
        expect([name, mediaType, example === undefined]).toEqual([name, mediaType, false]);
  }
});

test("errors have the status codes of the operation, never a range, and `default` for the others", () => {
  for (const [name, { responses }] of operations()) {
    const statuses = Object.keys(responses);
    expect([name, statuses.filter((status) => !/^[1-5]\d\d$/.test(status))]).toEqual([name, ["default"]]);
    expect([name, statuses.filter((status) => status.startsWith("4"))]).not.toEqual([name, []]);
  }
});

test("the document describes a run with and without wait, an edge after a timeout, and keys on routes of an account", () => {
  const { anyOf } = document.paths["/api/workflows/{id}/run"]!["post"]!.responses["200"]!.content![
    "application/json"
  ]!.schema as { anyOf: { required: string[] }[] };
  expect(anyOf.map(({ required }) => required.includes("workflowId"))).toEqual([false, true]);
  const { Edge } = document.components.schemas as { Edge: { properties: { condition: object } } };
  expect(Edge.properties.condition).toMatchObject({
    anyOf: [{ enum: expect.arrayContaining(["timeout"]) }, {}],
  });
  expect(document.paths["/api/auth/me"]!["get"]!.responses).toHaveProperty("403");
});

test("every operation has a summary, a tag, its path parameters and a response schema", () => {
  for (const [name, operation] of operations()) {
    expect([name, operation.summary, operation.tags]).toEqual([
      name,
      expect.stringMatching(/./),
      [expect.any(String)],
    ]);
    const wanted = [...name.matchAll(/:(\w+)/g)].map((match) => match[1]);
    const given = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
    expect([name, given.map((parameter) => parameter.name)]).toEqual([name, wanted]);
    const success = Object.entries(operation.responses).find(([status]) => status.startsWith("2"));
    expect([
      name,
      Object.values(success?.[1].content ?? {}).every(({ schema }) => schema !== undefined),
    ]).toEqual([name, true]);
    expect([name, Object.keys(success?.[1].content ?? {}).length > 0]).toEqual([name, true]);
  }
});

test("[S10] the document's security matches the routes: protected ones return 401, public ones do not", async () => {
  for (const [name, operation] of operations()) {
    const [method = "", path = ""] = name.split(" ");
    const response = await app.anonymous.call(path.replaceAll(/:\w+/g, "x"), { method });
    const { security } = operation;
    const isLoginMissing = response.body?.error === "missing_token";
    if (security === undefined) expect([name, isLoginMissing]).toEqual([name, true]);
    // Without an empty requirement, which makes the others optional, some credential is needed.
    else if (security.length > 0 && security.every((scheme) => Object.keys(scheme).length > 0))
      expect([name, response.status]).toEqual([name, 401]);
    else expect([name, isLoginMissing]).toEqual([name, false]);
  }
});

test("the example of a 404 has the code that the route returns for an unknown id", async () => {
  const user = await registerUser(app, "reader");
  const wrong: string[] = [];
  let compared = 0;
  for (const [name, { responses, security }] of operations()) {
    const [method = "", path = ""] = name.split(" ");
    const example = responses["404"]?.content?.["application/json"]?.example as
      | { error?: string }
      | undefined;
    if (method !== "GET" || security !== undefined || example === undefined) continue;
    const { status, body } = await user.get(path.replace(":scope", "workspace").replaceAll(/:\w+/g, "1"));
    if (status !== 404) continue;
    compared++;
    if (body.error !== example.error) wrong.push(`${name}: ${body.error}, not ${example.error}`);
  }
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(30);
});

test("the example of a request is one that the route accepts, as far as it needs no other record", async () => {
  const user = await registerUser(app, "writer");
  // Those of the account end the login, the others call the address in their example.
  const leavesTest = /^\/api\/(auth|admin)|\/(import|url|agent-card|test)$/;
  const refused: string[] = [];
  for (const [name, { requestBody, security }] of operations()) {
    const [method = "", path = ""] = name.split(" ");
    const example = requestBody?.content["application/json"]?.example;
    if (example === undefined || security !== undefined || leavesTest.test(path)) continue;
    const { body } = await user.call(path.replace(":kind", "workflow").replaceAll(/:\w+/g, "x"), {
      method,
      body: example,
    });
    if (body.error === "invalid_request") refused.push(`${name}: ${body.message}`);
  }
  expect(refused).toEqual([]);
});

test("Redocly finds nothing with its recommended rules but paths that are older than the document", async () => {
  // A fixed segment wins over a parameter in the router, and no id equals one of these words. Clients call the paths.
  const ambiguous = [
    "`/api/templates/{id}/copy` and `/api/templates/import/{id}`",
    "`/api/workflows/{id}/copy` and `/api/workflows/public/{idOrSlug}`",
    "`/api/agent-teams/{id}/copy` and `/api/agent-teams/sessions/{sessionId}`",
  ];
  const problems = await lintWithRedocly(source);
  expect(problems.filter((problem) => !ambiguous.some((paths) => problem.includes(paths)))).toEqual([]);
  expect(problems.length).toBe(ambiguous.length);
});

test("graphs in responses are as the document says, also those with problems, gaps and placeholders", async () => {
  const user = await registerUser(app, "drafter");
  const schemas = document.components.schemas as Schemas;
  const conformsTo = (schema: string, value: unknown) => conforms(value, schemas[schema]!, schemas);
  const broken = { steps: [{ stepId: 1, type: "teleport" }, "no step"], edges: [{ source: "a" }, null] };
  const { template } = (await user.post("/api/templates", { name: "Broken", ...broken })).body;
  expect(template.steps).toEqual(broken.steps);
  expect(conformsTo("Template", template)).toBe(true);

  const steps = [
    {
      stepId: "a",
      type: "http",
      method: "{{input.method}}",
      url: "https://a.example",
      body: null,
      query: null,
    },
    { stepId: "b", type: "http", disabled: true },
  ];
  const edges = [{ id: null, source: "a", target: "b", condition: "" }];
  const { workflow } = (await user.post("/api/workflows", { name: "Gaps", steps, edges })).body;
  expect(workflow.metadata).toEqual({ steps, edges });
  expect(conformsTo("Workflow", workflow)).toBe(true);
  const { draft } = (await user.put(`/api/workflows/${workflow.id}/draft`, { metadata: broken })).body;
  expect(conformsTo("WorkflowDraft", draft)).toBe(true);
  const file = (await user.get(`/api/workflows/${workflow.id}/export?version=draft`)).body;
  expect(conformsTo("TemplateFile", file)).toBe(true);
});

test("operations of other protocols have the media types and errors that they respond with", () => {
  const byName = new Map(operations());
  const mediaTypes = (name: string, status: string) =>
    Object.keys(byName.get(name)?.responses[status]?.content ?? {});
  expect(mediaTypes("GET /a2a/:agentId/tasks", "200")).toEqual(["application/a2a+json"]);
  expect(mediaTypes("POST /a2a/:agentId/:operation", "200")).toEqual([
    "application/a2a+json",
    "text/event-stream",
  ]);
  expect(mediaTypes("GET /a2a/:agentId/tasks", "400")).toEqual(["application/json", "application/a2a+json"]);
  expect(mediaTypes("POST /a2a/:agentId", "200")).toEqual(["application/json"]);
  const { content } = byName.get("POST /mcp")!.responses["400"]!;
  expect(JSON.stringify(content?.["application/json"]?.schema)).toContain('"jsonrpc"');
});

test("every $ref of the document resolves", () => {
  const dangling: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      if (key === "$ref" && typeof child === "string" && !resolves(child)) dangling.push(child);
      visit(child);
    }
  };
  visit(document);
  expect(dangling).toEqual([]);
});

function resolves(reference: string): boolean {
  if (!reference.startsWith("#/")) return false;
  let place: unknown = document;
  for (const part of reference.slice(2).split("/")) {
    place = (place as Record<string, unknown> | undefined)?.[
      part.replaceAll("~1", "/").replaceAll("~0", "~")
    ];
  }
  return place !== undefined;
}
