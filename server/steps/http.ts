import { STATUS_CODES } from "node:http";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { MAX_HTTP_TIMEOUT_MS } from "../../contract/steps/http.ts";
import { connectionFetch } from "../connections/connection-fetch.ts";
import type { ConnectionUses } from "../connections/connection-uses.ts";
import type { StepCall, StepOutput, StepRunner } from "../engine/run/step-runner.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { AppError, notFound } from "../lib/errors.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import type { Egress } from "../security/egress.ts";
import type { GuardedInit, GuardedResponse } from "../security/guarded-fetch.ts";
import { redactResult } from "../security/redact-result.ts";
import { bodyOf, buildRequest, type HttpRequest } from "./http-request.ts";
import { createDownload, type Download } from "./http-download.ts";
import { checkValues, readAnswer, retryAfterMs, type ValueLimits, visibleHeaders } from "./http-response.ts";

// The default of a step without a timeout. Longer than the guard's default, because some services take minutes.
const DEFAULT_TIMEOUT_MS = 5 * 60_000;
const EXCERPT_LENGTH = 300;
const KEPT_ERROR_BYTES = 64 * 1024;

export interface HttpRunnerDeps {
  egress: Pick<Egress, "fetch">;
  /** Limits the response, after decompression. */
  maxBytes?: number;
  limits: ValueLimits;
  runFiles: Pick<RunFiles, "create" | "find" | "open">;
  /** Without it no step can name a connection. */
  connections?: Pick<ConnectionUses, "use">;
  timeoutMs?: number;
  clock?: Pick<Clock, "now">;
}

/** Sends an HTTP request through the egress guard. */
export function createHttpRunner(deps: HttpRunnerDeps): StepRunner {
  const { egress, maxBytes, timeoutMs = DEFAULT_TIMEOUT_MS, clock = systemClock } = deps;
  return {
    run(call) {
      const connection = call.fields["connection"];
      return connection === undefined || connection === null
        ? send(call, egress.fetch)
        : sendWith(String(connection), call);
    },
  };

  async function sendWith(connection: string, call: StepCall): Promise<StepOutput> {
    if (deps.connections === undefined) throw notFound("connection");
    const use = await deps.connections.use(call.ownerId, connection);
    return redactResult(use.secrets, () =>
      send(call, (url, init) => connectionFetch(egress, use, url, init)),
    );
  }

  // A short function: V8 keeps all variables of an async function while it awaits.
  async function send(call: StepCall, fetch: Egress["fetch"]): Promise<StepOutput> {
    const body = bodyOf(call, deps.runFiles);
    const request = buildRequest(call, body instanceof Promise ? await body : body);
    const download = call.fields["responseAs"] === "file" ? createDownload(call, deps.runFiles) : undefined;
    const response = await fetch(request.url, initOf(call, request, download));
    const checked = checkValues(response, deps.limits);
    if (checked !== undefined) await checked;
    if (response.status < 200 || response.status > 299) throw await failureOf(call, request, response);
    return outputOf(response, download === undefined ? readAnswer(response) : (download.file() ?? null));
  }

  /** One literal, because V8 keeps fields that are added afterwards in a separate list, which grows. */
  function initOf(call: StepCall, { init }: HttpRequest, download: Download | undefined): GuardedInit {
    return {
      method: init.method,
      headers: init.headers,
      body: init.body,
      // Workflows that were saved by an earlier version may ask for more.
      timeoutMs: Math.min(call.timeoutMs ?? timeoutMs, MAX_HTTP_TIMEOUT_MS),
      maxBytes,
      signal: call.stop,
      beforeSend: call.assertLease,
      onLargeBody: call.holdLargeValue,
      // Only the host: paths and queries often contain tokens.
      onRedirect: (status, to) => call.log("info", `Redirected to ${to.protocol}//${to.host} (${status}).`),
      saveBody: download?.save,
    };
  }

  async function failureOf(
    call: StepCall,
    request: HttpRequest,
    response: GuardedResponse,
  ): Promise<AppError> {
    const error = await httpError(request, response, clock.now());
    const waitMs = error.retryAfterMs;
    if (waitMs !== undefined)
      call.log("warn", `${request.url.host} asks to wait ${Math.ceil(waitMs / 1000)} s (Retry-After).`);
    return error;
  }
}

function outputOf(
  { status, headers }: GuardedResponse,
  answer: JsonValue | Promise<JsonValue>,
): StepOutput | Promise<StepOutput> {
  const extra = { response: { status, headers: visibleHeaders(headers) } };
  return answer instanceof Promise ? answer.then((output) => ({ output, extra })) : { output: answer, extra };
}

async function httpError(
  { url, init }: HttpRequest,
  response: GuardedResponse,
  now: number,
): Promise<AppError> {
  const { status, headers } = response;
  const answer = await readAnswer(response);
  // Only the host: paths and queries often contain tokens.
  const fact = `${init.method} ${url.host} answered ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd();
  const said = excerptOf(answer);
  const body = response.body.length > KEPT_ERROR_BYTES ? said : answer;
  return new AppError("http_error", said === "" ? `${fact}.` : `${fact}: ${said}`, {
    retryAfterMs: retryAfterMs(headers["retry-after"], now),
    stepExtra: { response: { status, headers: visibleHeaders(headers), body } },
  });
}

function excerptOf(answer: JsonValue): string {
  if (answer === null) return "";
  const text = (typeof answer === "string" ? answer : JSON.stringify(answer)).slice(0, 2 * EXCERPT_LENGTH);
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH)}…` : line;
}
