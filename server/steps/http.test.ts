import { gzipSync } from "node:zlib";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import { limitsOf } from "../limits/testing/limits-of.ts";
import { noRunFiles } from "../run-files/testing/open-run-files.ts";
import { createEgress } from "../security/egress.ts";
import { createHttpRunner } from "./http.ts";
import { sampleCall } from "./testing/sample-call.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const egress = createEgress({ allowPrivate: true, allow: [], deny: [] });
const runner = createHttpRunner({
  runFiles: noRunFiles,
  egress,
  limits: limitsOf(),
  maxBytes: 100_000,
  clock: { now: () => NOW },
});
const server = createServer((request, response) => void answer(request, response));
let base = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await egress.close();
  server.closeAllConnections();
  server.close();
});

const deep = "[".repeat(5000) + "]".repeat(5000);
const answers: Record<string, [number, Record<string, string>, string | Buffer]> = {
  "/json": [200, { "content-type": "application/json; charset=utf-8" }, '{"a":[1,true]}'],
  "/problem": [200, { "content-type": "application/problem+json" }, '{"a":1}'],
  "/broken": [200, { "content-type": "application/json" }, '{"a":'],
  "/deep": [200, { "content-type": "application/json" }, deep],
  "/proto": [200, { "content-type": "application/json" }, '{"\\u005f_proto__":{"admin":true}}'],
  "/text": [200, { "content-type": "text/plain", "set-cookie": "session=1" }, "{{input.a}} words"],
  "/latin": [200, { "content-type": "text/plain; charset=iso-8859-1" }, Buffer.from([0x67, 0xfc])],
  "/windows": [200, { "content-type": "text/plain; charset=windows-1252" }, Buffer.from([0x80, 0x93, 0x81])],
  "/parameters": [
    200,
    { "content-type": 'Text/Plain; format=flowed; Charset = "ISO-8859-1" ; charset=utf-8' },
    Buffer.from([0x67, 0xfc]),
  ],
  "/marked": [200, { "content-type": "application/json" }, '\ufeff{"a":1}'],
  "/charset": [200, { "content-type": "text/plain; charset=klingon" }, "words"],
  "/image": [200, { "content-type": "image/png" }, Buffer.from([0x89, 0x50, 0xff])],
  "/untyped": [200, {}, "words"],
  "/untyped-json": [200, {}, '{"a":[1,true]}'],
  "/untyped-bytes": [200, {}, Buffer.from([0xff, 0xfe, 0x00])],
  "/empty": [204, {}, ""],
  "/huge": [
    200,
    { "content-type": "text/plain", "content-encoding": "gzip" },
    gzipSync("x".repeat(3_000_000)),
  ],
  "/commas": [200, { "content-type": "application/json" }, `[${JSON.stringify('",\\'.repeat(1000))}]`],
  "/large": [200, {}, "x".repeat(200_000)],
  "/missing": [
    404,
    { "content-type": "application/json", "set-cookie": "session=1" },
    '{"why":"no such order"}',
  ],
  "/moved": [302, { location: "/json?token=hunter2" }, ""],
  "/busy": [429, { "retry-after": "7" }, ""],
  "/later": [503, { "retry-after": "Thu, 01 Jan 2026 00:01:00 GMT" }, "down"],
  "/nonsense": [503, { "retry-after": "soon 5" }, ""],
  "/long-error": [500, { "content-type": "text/plain" }, "e".repeat(90_000)],
};

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === "/silent") return;
  const [path, count] = (request.url ?? "").split("?");
  if (path === "/list") {
    const headers = { "content-type": "application/json" };
    response.writeHead(200, headers).end(`[${"{},".repeat(Number(count))}{}]`);
    return;
  }
  const known = answers[request.url ?? ""];
  if (known) {
    response.writeHead(known[0], known[1]).end(known[2]);
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method, url, headers } = request;
  const body = Buffer.concat(chunks).toString("latin1");
  response.setHeader("content-type", "application/json").end(JSON.stringify({ method, url, headers, body }));
}

const get = async (path: string) => (await runner.run(sampleCall({ url: base + path }))).output;
const echo = async (fields: Record<string, JsonValue>) =>
  (await runner.run(sampleCall({ url: `${base}/echo`, ...fields }))).output as {
    method: string;
    url: string;
    headers: Record<string, string>;
    body: string;
  };
const failureOf = async (fields: Record<string, JsonValue>, more = {}) => {
  const thrown: unknown = await runner.run(sampleCall(fields, more)).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(AppError);
  return thrown as AppError;
};

test.each<[string, JsonValue]>([
  ["/json", { a: [1, true] }],
  ["/problem", { a: 1 }],
  ["/broken", '{"a":'],
  ["/deep", deep],
  ["/proto", '{"\\u005f_proto__":{"admin":true}}'],
  ["/text", "{{input.a}} words"],
  ["/latin", "gü"],
  ["/windows", "€“\u0081"],
  ["/parameters", "gü"],
  ["/marked", { a: 1 }],
  ["/charset", "words"],
  ["/image", { contentType: "image/png", base64: "iVD/", bytes: 3 }],
  ["/untyped", "words"],
  ["/untyped-json", { a: [1, true] }],
  ["/untyped-bytes", { contentType: "application/octet-stream", base64: "//4A", bytes: 3 }],
  ["/empty", null],
])("the response of %s keeps its type", async (path, output) => {
  expect(await get(path)).toEqual(output);
});

test("a response over a megabyte is read on only with a slot, a smaller one needs none", async () => {
  const patient = createHttpRunner({ runFiles: noRunFiles, egress, limits: limitsOf() });
  let asked = 0;
  const holdLargeValue = (signal: AbortSignal): Promise<void> => {
    asked += 1;
    return asked === 1
      ? Promise.resolve()
      : new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  };
  const fetch = (path: string, more = {}) =>
    patient.run(sampleCall({ url: base + path }, { holdLargeValue, ...more }));
  await fetch("/large");
  expect(asked).toBe(0);
  expect(((await fetch("/huge")).output as string).length).toBe(3_000_000);
  expect(asked).toBe(1);
  // Waiting for the slot counts against the time limit of the step.
  await expect(fetch("/huge", { timeoutMs: 50 })).rejects.toMatchObject({ code: "request_timeout" });
});

test("a response with too many values is refused before it is parsed", async () => {
  let refusals = 0;
  const limits = { ...limitsOf({ value_bytes: 1600 }), countRefusal: () => void (refusals += 1) };
  const limited = createHttpRunner({ runFiles: noRunFiles, egress, limits });
  const length = (path: string) =>
    limited.run(sampleCall({ url: base + path })).then(({ output }) => (output as JsonValue[]).length);
  expect(await length("/list?97")).toBe(98);
  await expect(length("/list?99")).rejects.toMatchObject({
    code: "output_too_large",
    details: { limit: "MAX_VALUE_BYTES" },
  });
  expect(refusals).toBe(1);
  // A comma within text is none of the list.
  expect(await length("/commas")).toBe(1);
});

test("status and headers are stored with the output, without cookies", async () => {
  const { extra } = await runner.run(sampleCall({ url: `${base}/text` }));
  expect(extra).toMatchObject({ response: { status: 200, headers: { "content-type": "text/plain" } } });
  expect(JSON.stringify(extra)).not.toContain("session=1");
});

test("an object is sent as JSON, with the name of the program and the key of the step", async () => {
  const { method, headers, body } = await echo({ method: "post", body: { a: [1] } });
  expect([method, body]).toEqual(["POST", '{"a":[1]}']);
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "user-agent": "Baton",
    "idempotency-key": expect.stringMatching(/^task_1:step:[0-9a-f]{16}$/),
  });
});

describe("the Idempotency-Key", () => {
  const keyOf = async (fields: Record<string, JsonValue>, more = {}) => {
    const { output } = await runner.run(sampleCall({ url: `${base}/echo`, ...fields }, more));
    return (output as { headers: Record<string, string> }).headers["idempotency-key"]!;
  };
  const request = { method: "POST", body: { a: 1 }, headers: { accept: "text/plain" } };

  test("is the same for the same request, also with renewed credentials", async () => {
    const first = await keyOf({ ...request, headers: { ...request.headers, Authorization: "Bearer 1" } });
    const headers = { authorization: "Bearer 2", "X-Api-Key": "k", cookie: "c", ...request.headers };
    expect(await keyOf({ ...request, headers })).toBe(first);
  });

  test.each<[string, Record<string, JsonValue>]>([
    ["method", { method: "PUT" }],
    ["URL", { url: "/echo/2" }],
    ["query", { query: { page: 2 } }],
    ["body", { body: { a: 2 } }],
    ["header", { headers: { accept: "text/html" } }],
  ])("is new for another %s", async (_what, { url, ...changed }) => {
    const moved = typeof url === "string" ? { url: base + url } : {};
    expect(await keyOf({ ...request, ...changed, ...moved })).not.toBe(await keyOf(request));
  });

  test("is new after each answered failure", async () => {
    const keys = await Promise.all([0, 1, 2].map((answeredFailures) => keyOf(request, { answeredFailures })));
    expect(new Set(keys).size).toBe(3);
  });

  test("is a valid header for any step id", async () => {
    expect(await keyOf(request, { idempotencyKey: "task_1:prüfen 😀" })).toMatch(
      /^task_1:pr%C3%BCfen %F0%9F%98%80:/,
    );
  });
});

test("the user's own headers win, whatever their case", async () => {
  const { headers, body } = await echo({
    method: "PUT",
    headers: {
      "Content-Type": "application/vnd.x+json",
      "IDEMPOTENCY-KEY": "mine",
      "X-Count": 3,
      "X-None": null,
    },
    body: [1],
  });
  expect(headers).toMatchObject({ "content-type": "application/vnd.x+json", "idempotency-key": "mine" });
  expect([headers["x-count"], headers["x-none"], body]).toEqual(["3", undefined, "[1]"]);
});

test.each([
  ['{"a": 1}', "application/json"],
  [" [1]", "application/json"],
  ['{"a": 1e400}', "application/json"],
  ['{"a": 1', "text/plain; charset=utf-8"],
  ["42", "text/plain; charset=utf-8"],
  ["words", "text/plain; charset=utf-8"],
])("the text %j is sent as it is, as %s", async (body, contentType) => {
  const sent = await echo({ method: "POST", body });
  expect([sent.body, sent.headers["content-type"]]).toEqual([body, contentType]);
});

test("bytes of an earlier step are sent as bytes", async () => {
  const sent = await echo({ method: "POST", body: { contentType: "image/png", base64: "iVD/", bytes: 3 } });
  expect([sent.headers["content-type"], sent.body]).toEqual(["image/png", "\x89P\xff"]);
});

test("the query is added to the URL's own query", async () => {
  const { url } = await echo({
    url: `${base}/echo?sig=a%2Fb+c#part`,
    query: { q: "a&b=c", n: 1, tag: ["x", "y"], none: null },
  });
  expect(url).toBe("/echo?sig=a%2Fb+c&q=a%26b%3Dc&n=1&tag=x&tag=y");
  expect((await echo({ query: { a: "" } })).url).toBe("/echo?a=");
});

test("a response other than 2xx fails the step and is stored", async () => {
  const error = await failureOf({ url: `${base}/missing`, method: "GET" });
  expect(error.code).toBe("http_error");
  expect(error.message).toMatch(/^GET 127\.0\.0\.1:\d+ answered 404 Not Found: .*no such order/);
  expect(error.stepExtra).toEqual({
    response: {
      status: 404,
      headers: expect.objectContaining({ "content-type": "application/json" }),
      body: { why: "no such order" },
    },
  });
  expect(JSON.stringify(error.stepExtra)).not.toContain("session=1");
});

test("Retry-After delays the next attempt, in seconds or as a date", async () => {
  expect(await failureOf({ url: `${base}/busy` })).toMatchObject({
    stepExtra: { response: { status: 429 } },
    retryAfterMs: 7000,
  });
  expect((await failureOf({ url: `${base}/later` })).retryAfterMs).toBe(60_000);
  expect((await failureOf({ url: `${base}/nonsense` })).retryAfterMs).toBeUndefined();
});

test("a long error response is truncated", async () => {
  const error = await failureOf({ url: `${base}/long-error` });
  expect(error.message.length).toBeLessThan(500);
  expect(JSON.stringify(error.stepExtra).length).toBeLessThan(2000);
});

test.each<[string, Record<string, JsonValue>]>([
  ["no address", { url: null }],
  ["half an address", { url: "example.com/a" }],
  ["a method that is none", { method: "TRACE" }],
  ["a method with a line break", { method: "GET\r\nX: y" }],
  ["a header with a line break", { headers: { "x-a": "b\r\nx-evil: 1" } }],
  ["a header name with a line break", { headers: { "x-a\r\nx-evil": "b" } }],
  ["an object as a header", { headers: { "x-a": {} } }],
  ["headers that are text", { headers: "x-a: b" }],
  ["a query with an object in it", { query: { a: { b: 1 } } }],
])("%s is rejected before anything is sent", async (_, fields) => {
  const error = await failureOf({ url: `${base}/echo`, ...fields });
  expect([error.code, error.permanent]).toEqual(["invalid_field", true]);
});

test("an empty address names the placeholder as the reason", async () => {
  expect((await failureOf({ url: null })).message).toBe(
    'The field "url" must be text, not nothing. Its placeholder has no value in this run: check the input and the outputs of earlier steps.',
  );
});

test("every request passes the egress guard", async () => {
  const closed = createEgress({ allowPrivate: false, allow: [], deny: [] });
  const guarded = createHttpRunner({ runFiles: noRunFiles, egress: closed, limits: limitsOf() });
  await expect(guarded.run(sampleCall({ url: `${base}/json` }))).rejects.toMatchObject({
    code: "egress_denied",
  });
  await expect(runner.run(sampleCall({ url: "http://169.254.169.254/latest" }))).rejects.toMatchObject({
    code: "egress_denied",
  });
  await closed.close();
});

test("a response over the limit, a cancelled request and the step's own time limit end the step", async () => {
  expect((await failureOf({ url: `${base}/large` })).code).toBe("response_too_large");
  expect((await failureOf({ url: `${base}/silent` }, { timeoutMs: 20 })).code).toBe("request_timeout");
  const signal = AbortSignal.abort();
  expect((await failureOf({ url: `${base}/silent` }, { signal })).code).toBe("aborted");
});

test("a stored workflow cannot wait for longer than an hour", async () => {
  const limits: (number | undefined)[] = [];
  const { run } = createHttpRunner({
    runFiles: noRunFiles,
    limits: limitsOf(),
    egress: {
      fetch: (_url, options) => {
        limits.push(options?.timeoutMs);
        return Promise.reject(new AppError("connection_failed", "no"));
      },
    },
  });
  for (const timeoutMs of [undefined, 1000, 86_400_000])
    await run(sampleCall({ url: `${base}/json` }, { timeoutMs })).catch(() => undefined);
  expect(limits).toEqual([300_000, 1000, 3_600_000]);
});

test("redirects and the wait that the other side asks for are logged, with the host only", async () => {
  const lines: string[] = [];
  const log = (level: string, message: string) => void lines.push(`${level}: ${message}`);
  await runner.run(sampleCall({ url: `${base}/moved` }, { log }));
  await runner.run(sampleCall({ url: `${base}/busy` }, { log })).catch(() => undefined);
  const { host } = new URL(base);
  expect(lines).toEqual([
    `info: Redirected to http://${host} (302).`,
    `warn: ${host} asks to wait 7 s (Retry-After).`,
  ]);
});
