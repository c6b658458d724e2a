import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { ApiResponse } from "./support/client.ts";
import { shareApp } from "./support/shared-app.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";

const { app, alice } = await shareApp(["alice"]);

function expectError(response: ApiResponse, status: number, code: string): void {
  expect([response.status, response.body?.error], response.text.slice(0, 300)).toEqual([status, code]);
  expect(response.body.ok).toBe(false);
  expect(response.body.message).toMatch(/^[A-Z].*\.$/s);
  expect(response.headers["content-type"]).toMatch(/^application\/json/);
  expect(response.headers["x-request-id"]).toMatch(/^req_/);
  expect(response.headers["x-content-type-options"]).toBe("nosniff");
}

const post = (body: unknown, contentType?: string) =>
  alice.call("/api/workflows", {
    method: "POST",
    body,
    ...(contentType === undefined ? {} : { contentType }),
  });

describe("what is wrong with the body", () => {
  test.each([
    ["cut off", '{"name": "x"'],
    ["no JSON at all", "name=x"],
    ["with a trailing comma", '{"name": "x",}'],
    ["with a NUL", '{"name": "x"}\u0000'],
    ["10,000 arrays deep", `{"name":"x","metadata":{"steps":${"[".repeat(10_000)}${"]".repeat(10_000)}}}`],
    ["10,000 objects deep", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`],
    ["with a __proto__ key", '{"name":"x","__proto__":{"admin":true}}'],
    ["with a __proto__ key in disguise", '{"name":"x","\\u005f_proto__":{"admin":true}}'],
    ["with a __proto__ key inside a step", '{"name":"x","metadata":{"steps":[{"a":[{"__proto__":1}]}]}}'],
    [
      "with a number beyond all numbers",
      '{"name":"x","metadata":{"steps":[{"stepId":"a","type":"transform","template":-1e999}]}}',
    ],
    ["with bytes that are no UTF-8", Buffer.from('{"name":"\xff"}', "latin1")],
  ])("[S28] a body %s is 400 invalid_json", async (_what, body) =>
    expectError(await post(body), 400, "invalid_json"),
  );

  test.each([
    ["an array", "[]"],
    ["a text", '"name"'],
    ["null", "null"],
    ["nothing", ""],
    ["a name that is a number", '{"name": 5}'],
    ["an empty name", '{"name": ""}'],
    ["a name with a NUL", '{"name": "a\\u0000b"}'],
    ["a name with half a surrogate pair", '{"name": "a\\ud800b"}'],
    ["a name of 201 characters", JSON.stringify({ name: "n".repeat(201) })],
    ["steps that are no list", '{"name": "x", "metadata": {"steps": "a"}}'],
    ["metadata that is a text", '{"name": "x", "metadata": "steps"}'],
    ["settings of a wrong type", '{"name": "x", "apiSettings": {"enabled": "yes"}}'],
  ])("%s instead of a workflow is 400 with the path of the field", async (_what, body) => {
    const response = await post(body);
    expectError(response, 400, "invalid_request");
    expect(response.body.details).toEqual(
      expect.arrayContaining([{ path: expect.any(String), message: expect.any(String) }]),
    );
  });

  test("validation messages are readable and name no internal types", async () => {
    const { body } = await post({
      name: 5,
      description: "d".repeat(10_001),
      apiSettings: { enabled: "yes" },
    });
    expect(body.message).toBe("The request is not valid: name: must be text.");
    expect(body.details).toEqual([
      { path: "name", message: "must be text" },
      { path: "description", message: "must have at most 10000 characters" },
      { path: "apiSettings.enabled", message: "must be true or false" },
    ]);
    expect((await post({})).body.message).toBe("The request is not valid: name: is missing.");
    expect((await post("")).body.message).toBe("The request is not valid: the body must be an object.");
  });

  test.each([null, 5, "step", [], [[]], true])("a step that is %j is 422, not 500", async (step) => {
    expectError(
      await post({ name: "x", metadata: { steps: [step], edges: [step] } }),
      422,
      "invalid_workflow",
    );
  });

  test("a key named constructor is ordinary data", async () => {
    const steps = [{ stepId: "a", type: "transform", template: { constructor: { prototype: { x: 1 } } } }];
    const response = await post({ name: "x", metadata: { steps, edges: [] } });
    expect(response.body.workflow.metadata.steps).toEqual(steps);
  });

  test("[S28] half a surrogate pair is stored or rejected, never a 500", async () => {
    const response = await post(
      '{"name":"x","metadata":{"steps":[{"stepId":"a","type":"transform","template":"\\ud800"}]}}',
    );
    expect(response.body.workflow.metadata.steps[0].template).toBe("\ud800");
  });

  test("[S28] more than 2 MiB is 413, also without a content-length", async () => {
    const response = await post(JSON.stringify({ name: "x".repeat(2 * 1024 * 1024) }));
    expectError(response, 413, "payload_too_large");
    expect(response.body.message).toContain("larger than 2097152 bytes");
  });

  test.each(["/api/auth/login", "/api/auth/register", "/api/auth/password/reset", "/api/approval-links/x"])(
    "more than 64 KiB from a stranger to %s is 413",
    async (path) => {
      const padding = " ".repeat(64 * 1024);
      expectError(await app.anonymous.post(path, { padding }), 413, "payload_too_large");
    },
  );

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/html",
    "application/jsonp",
  ])("%s is 415", async (contentType) =>
    expectError(await post('{"name":"x"}', contentType), 415, "unsupported_media_type"),
  );

  test("an empty body is accepted with any content type", async () => {
    const headers = { "content-length": "0" };
    const contentType = "application/x-www-form-urlencoded";
    const response = await alice.call("/api/keys", { method: "POST", headers, body: "", contentType });
    expect(response.status).toBe(201);
  });

  test.each(["application/json; charset=utf-8", "application/vnd.example+json", "APPLICATION/JSON"])(
    "%s is accepted as JSON",
    async (contentType) => expect((await post('{"name":"x"}', contentType)).status).toBe(201),
  );
});

describe("what is wrong with the address", () => {
  test.each([
    ["GET", "/nowhere"],
    ["GET", "/api"],
    ["POST", "/health"],
    ["DELETE", "/api/workflows"],
    ["OPTIONS", "/api/workflows"],
    ["PATCH", "/api/openapi.json"],
    ["GET", "/api/workflows/%E0%A4%A"],
    ["GET", "/%"],
    ["GET", "/..%2f..%2fetc/passwd"],
  ])("%s %s is 404 not_found", async (method, url) =>
    expectError(await alice.call(url, { method }), 404, "not_found"),
  );

  test.each([
    ["GET", "/api/workflows/public/greet", "Send POST."],
    ["POST", "/api/approvals", "Send GET."],
    ["POST", "/api/workflows/wf_1", "Send GET or PUT or PATCH or DELETE."],
    ["GET", "/api/workflow", "GET /api/docs lists all routes."],
  ])("the 404 message of %s %s says what to do", async (method, url, hint) => {
    const { body } = await alice.call(url, { method });
    expect(body.message).toBe(`No route matches ${method} ${url}. ${hint}`);
  });

  test.each([
    ["/api/workflows/wf_none", 'There is no workflow "wf_none".'],
    ["/api/tasks/task_none", 'There is no task "task_none".'],
    ["/api/agents/a%22b%0Ac", 'There is no agent "a\\"b\\nc".'],
    [`/api/agent-teams/${"t".repeat(200)}`, `There is no team "${"t".repeat(80)}…".`],
    ["/api/v1/documents/doc_none", 'There is no document "doc_none".'],
    ["/api/workflows/", "The id of the workflow is empty."],
    ["/api/workflows//versions", "The id of the workflow is empty."],
    ["/api/keys/", "The path ends with a slash"],
  ])("the 404 message of %s names the id, or says that it is missing", async (url, message) => {
    const response = await alice.get(url);
    expect([response.status, response.body.message]).toEqual([404, expect.stringContaining(message)]);
  });

  test("a call of an endpoint without its name says that it is missing", async () => {
    const response = await alice.call("/api/workflows/public/", { method: "POST" });
    expectError(response, 404, "workflow_not_found");
    expect(response.body.message).toContain("The id of the workflow is empty.");
  });

  test("the 404 message omits the values of the query", async () => {
    const response = await app.anonymous.get("/nowhere?secret=hunter2");
    expectError(response, 404, "not_found");
    expect(response.text).not.toContain("hunter2");
  });

  const oddIds = [
    "wf_",
    "wf_1",
    "abc",
    "%20",
    "..",
    "%00",
    "%27%20or%201=1--",
    "%F0%9F%98%80",
    "a".repeat(400),
    "a".repeat(3000),
  ];
  test.each(oddIds)("%s as an id is 404 for every method", async (id) => {
    for (const [method, url] of [
      ["GET", `/api/workflows/${id}`],
      ["PUT", `/api/workflows/${id}`],
      ["DELETE", `/api/workflows/${id}`],
      ["GET", `/api/workflows/${id}/export`],
      ["POST", `/api/workflows/${id}/clone`],
      ["GET", `/api/templates/${id}`],
      ["GET", `/api/templates/${id}/validate`],
      ["POST", `/api/templates/import/${id}`],
    ] as const) {
      const response = await alice.call(url, { method, ...(method === "PUT" ? { body: {} } : {}) });
      expect([url, response.status, response.body?.ok]).toEqual([url, 404, false]);
    }
  });
});

test("an unexpected error is 500 without its cause in the body", async () => {
  const broken = await useTestApp();
  const carol = await registerUser(broken);
  await broken.sql("alter table template rename to elsewhere");
  const response = await carol.get("/api/templates");
  await broken.sql("alter table elsewhere rename to template");
  expectError(response, 500, "internal_error");
  expect(response.text).not.toMatch(/table|sql|template|stack|\.ts/i);
});

test("a connection that the client resets before its request is read is not a fault of the service", async () => {
  const address = await app.listen();
  const head =
    "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9";
  for (let count = 0; count < 20; count++)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(address).port), "127.0.0.1", () => {
        socket.write(`${head}\r\n\r\n{}`);
        socket.resetAndDestroy();
        resolve();
      });
    });
  // The server has read the earlier connections by now.
  expect((await fetch(`${address}/health`)).status).toBe(200);
  const metrics = await app.anonymous.get("/metrics");
  expect(metrics.text).not.toMatch(/route="\/api\/auth\/login",status="5/);
});

test("a problem that two rules of a field report is listed once", async () => {
  const { body } = await alice.post("/api/v1/documents/query", { query: "" });
  expect(body.details).toEqual([{ path: "query", message: "must not be empty" }]);
});
