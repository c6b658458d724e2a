import { expect, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { type ErrorCode, statusOfError } from "../../contract/errors.ts";
import { upload } from "../documents/upload.ts";
import { lines, pdfOf } from "../support/pdf.ts";
import { ownedRecords } from "../support/owned-records.ts";
import { authorizationQuery, createPkce, registerClient } from "../support/oauth.ts";
import { registerUser, type RegisteredUser, useTestApp } from "../support/test-app.ts";

/** Promises of the register that no test of a feature covers. */
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const graph = { steps: [{ stepId: "a", type: "transform", template: "{{input}}" }], edges: [] };

/** Requests that create a record: path, body, noun of the response, prefix of the id. */
const creations: [string, (owner: RegisteredUser, workflowId: string) => object, string, string][] = [
  ["/api/workflows", () => ({ name: "x", metadata: graph }), "workflow", "wf_"],
  ["/api/templates", () => ({ name: "x", ...graph }), "template", "tpl_"],
  ["/api/keys", () => ({ name: "x" }), "apiKey", "key_"],
  ["/api/webhooks", (_owner, workflowId) => ({ name: "x", source: "x", workflowId }), "webhook", "wh_"],
  ["/api/schedules", (_owner, workflowId) => ({ workflowId, cron: "0 3 * * *" }), "schedule", "sch_"],
  [
    "/api/triggers",
    (_owner, workflowId) => ({ kind: "rss", workflowId, settings: { url: "http://127.0.0.1:9/" } }),
    "trigger",
    "trg_",
  ],
  ["/api/agents", () => ({ name: "x" }), "agent", "agent_"],
  ["/api/agent-teams", () => ({ name: "x" }), "team", "team_"],
  ["/api/workflows/generate-ai", () => ({ prompt: "fetch https://example.com" }), "workflow", "wf_"],
];

test("creating a record returns 201 under its noun, with a prefixed id and times in UTC", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const { workflow } = (await ada.post("/api/workflows", { name: "x", metadata: graph })).body;
  const { template } = (await ada.post("/api/templates", { name: "x", ...graph })).body;
  const all: typeof creations = [
    ...creations,
    [`/api/workflows/${workflow.id}/clone`, () => ({}), "workflow", "wf_"],
    [`/api/templates/import/${template.id}`, () => ({}), "workflow", "wf_"],
  ];
  for (const [path, body, noun, prefix] of all) {
    const response = await ada.post(path, body(ada, workflow.id));
    expect([path, response.status, response.body.ok]).toEqual([path, 201, true]);
    expect([path, response.body[noun].id]).toEqual([path, expect.stringMatching(`^${prefix}`)]);
    expect([path, response.body[noun].createdAt]).toEqual([path, expect.stringMatching(UTC)]);
  }
  const document = await upload(ada, await pdfOf([lines(["Some words on a page."])]));
  expect([document.status, document.body.document_id]).toEqual([201, expect.stringMatching(/^doc_/)]);
  const run = await ada.post(`/api/workflows/${workflow.id}/run`, {});
  expect([run.status, run.body.taskId]).toEqual([200, expect.stringMatching(/^task_/)]);
});

test("every successful JSON response of a read contains ok: true", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const { paths } = (await app.anonymous.get("/api/openapi.json")).body;
  const reads = Object.keys(paths).filter((path) => paths[path].get !== undefined);
  // Routes that return other formats: the OpenAPI document, OAuth metadata, metrics, exports, PDFs, files, streams, single values, A2A, OpenAI's API.
  const otherFormats =
    /openapi\.json$|^\/client-metadata\.json$|^\/metrics$|\/(export|file|events|output|result|content)$|^\/(a2a|v1|\.well-known|api\/run-files)\//;
  const checked: string[] = [];
  const check = async (path: string, url: string): Promise<void> => {
    const response = await ada.get(url);
    expect([path, response.status, response.body?.ok]).toEqual([path, 200, true]);
    checked.push(path);
  };
  const { client_id } = await registerClient(app.anonymous);
  const authorization = new URLSearchParams(authorizationQuery(client_id, createPkce().challenge)).toString();
  const requiredQuery: Record<string, string> = {
    "/api/schedules/next": "?cron=0 3 * * *",
    "/api/oauth/authorization": `?${authorization}`,
  };
  for (const path of reads)
    if (!path.includes("{") && !otherFormats.test(path))
      await check(path, path + (requiredQuery[path] ?? ""));
  for (const { path: pattern, create } of ownedRecords) {
    const owned = reads.filter((path) => pattern.test(path) && !otherFormats.test(path));
    if (owned.length === 0) continue;
    const values = await create(ada);
    for (const path of owned)
      await check(
        path,
        path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => values[name] ?? ""),
      );
  }
  expect(checked.length).toBeGreaterThan(25);
});

interface Node {
  $ref?: string;
  properties?: Record<string, Node>;
  [more: string]: unknown;
}

test("responses are camelCase, those of documents and of OpenAI's routes snake_case", async () => {
  const app = await useTestApp();
  const document = (await app.anonymous.get("/api/openapi.json")).body;
  const namesIn = (node: unknown, seen: Set<unknown>): string[] => {
    if (typeof node !== "object" || node === null || seen.has(node)) return [];
    seen.add(node);
    const { $ref, properties = {}, ...rest } = node as Node;
    const named = $ref === undefined ? undefined : document.components.schemas[$ref.split("/").at(-1) ?? ""];
    return [
      ...Object.keys(properties),
      ...[named, ...Object.values(properties), ...Object.values(rest)].flatMap((child) =>
        namesIn(child, seen),
      ),
    ];
  };
  for (const [path, verbs] of Object.entries<Record<string, Node>>(document.paths)) {
    // OAuth defines the names of its parameters and metadata.
    if (/^\/(\.well-known|(api\/)?oauth)\//.test(path)) continue;
    // A transfer to another workspace has one shape for all kinds of records.
    const isTransfer = /\/(copy|move)$/.test(path);
    const style =
      /^(\/api)?\/v1\//.test(path) && !isTransfer ? /^[a-z]+(_[a-z]+)*$|^nextCursor$/ : /^[a-z][a-zA-Z0-9]*$/;
    for (const { responses, requestBody } of Object.values(verbs)) {
      const names = namesIn(responses, new Set()).concat(namesIn(requestBody, new Set()));
      expect([path, names.filter((name) => !style.test(name))]).toEqual([path, []]);
    }
  }
});

test("only documents and OpenAI's routes carry a version in their path", async () => {
  const app = await useTestApp();
  const { paths } = (await app.anonymous.get("/api/openapi.json")).body;
  const versioned = Object.keys(paths).filter((path) => /\/v\d+\//.test(path));
  expect(versioned.length).toBeGreaterThan(3);
  const expected = /^(\/api\/v1\/(documents|collections)|\/v1\/(models|chat\/completions))(\/|$)/;
  expect(versioned.filter((path) => !expected.test(path))).toEqual([]);
  expect(Object.keys(paths).filter((path) => path.startsWith("/api/documents"))).toEqual([]);
});

test("the settings limit the size of bodies", async () => {
  const { limits } = readConfig({});
  expect([limits.jsonBodyBytes, limits.webhookBodyBytes, limits.uploadBytes]).toEqual(
    [2, 1, 50].map((mebibytes) => mebibytes * 1024 * 1024),
  );
  const app = await useTestApp({ JSON_BODY_LIMIT_BYTES: "2048", WEBHOOK_BODY_LIMIT_BYTES: "1024" });
  const ada = await registerUser(app, "ada");
  const { workflow } = (await ada.post("/api/workflows", { name: "x", metadata: graph })).body;
  const hook = { name: "x", source: "hook", workflowId: workflow.id };
  const { webhook } = (await ada.post("/api/webhooks", hook)).body;
  const secret = { "x-webhook-secret": webhook.secret };
  const text = (length: number): object => ({ description: "x".repeat(length) });
  const status = async (path: string, body: object, headers = {}): Promise<number> =>
    (await ada.post(path, body, headers)).status;
  expect(await status("/api/workflows", { name: "x", ...text(1900) })).toBe(201);
  expect(await status("/api/workflows", { name: "x", ...text(2100) })).toBe(413);
  expect(await status("/webhook/hook", text(900), secret)).toBe(200);
  expect(await status("/webhook/hook", text(1100), secret)).toBe(413);
});

test("a rate-limited response has Retry-After and RateLimit headers", async () => {
  const app = await useTestApp({ RATE_LIMIT_GENERATE_PER_MINUTE: "1" });
  const ada = await registerUser(app, "ada");
  const generate = () => ada.post("/api/workflows/generate-ai", { prompt: "wait a minute", save: false });
  expect((await generate()).status).toBeLessThan(300);
  const { status, body, headers } = await generate();
  expect([status, body.error]).toEqual([429, "rate_limited"]);
  const number = expect.stringMatching(/^\d+$/);
  expect(headers).toMatchObject({
    "retry-after": number,
    "ratelimit-limit": "1",
    "ratelimit-remaining": "0",
    "ratelimit-reset": number,
  });
});

test("GET /api/step-types returns each type with its schema and an example", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const { stepTypes } = (await ada.get("/api/step-types")).body;
  expect(stepTypes).toHaveLength(24);
  for (const it of stepTypes)
    expect(it).toMatchObject({
      type: expect.any(String),
      title: expect.any(String),
      description: expect.any(String),
      category: expect.any(String),
      schema: { type: "object" },
      example: { type: it.type },
    });
});

test("without any setting the configuration has the documented defaults", () => {
  expect(readConfig({})).toMatchObject({
    host: "127.0.0.1",
    port: 3000,
    dataDir: expect.stringMatching(/data$/),
    allowRegistration: true,
    trustProxy: false,
    corsOrigins: [],
    limits: { webhookPerMinute: 20, generatePerMinute: 10, loginPerMinute: 20 },
    syncTimeoutMs: 60_000,
    retentionDays: 0,
    teams: { maxTurns: 20, joinWaitMs: 10_000 },
    egress: { allow: [], deny: [] },
    embedding: { provider: "local" },
  });
});

const catalogue: Record<number, string> = {
  400: "invalid_request invalid_json unknown_step invalid_message invalid_session file_required weak_password",
  401: "missing_token invalid_token invalid_credentials missing_api_key invalid_api_key missing_secret",
  403: "forbidden invalid_secret invalid_signature unknown_agent registration_closed setup_code_required egress_denied",
  404: "not_found workflow_not_found document_not_found task_not_found",
  409: "email_taken slug_taken version_conflict idempotency_conflict source_taken variable_exists task_not_failed task_not_waiting task_finished delivery_not_kept session_cancelled session_ended document_deleted embedding_model_mismatch",
  413: "payload_too_large",
  415: "unsupported_media_type",
  421: "host_not_allowed",
  422: "invalid_workflow generation_failed unreadable_document no_text agent_stopped",
  429: "rate_limited limit_reached",
  500: "execution_failed internal_error",
  503: "unavailable storage_unavailable llm_not_configured model_failed embedding_failed embedding_not_configured",
  504: "execution_timeout",
};

test("every error code has its documented status", () => {
  for (const [status, codes] of Object.entries(catalogue))
    for (const code of codes.split(" "))
      expect([code, statusOfError(code as ErrorCode)]).toEqual([code, Number(status)]);
});
