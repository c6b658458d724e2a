import type { App, AppRequest } from "../../apps/define-app.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { StepCall } from "../engine/run/step-runner.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import type { GuardedInit, GuardedResponse } from "../security/guarded-fetch.ts";
import { redactError } from "../security/redact-result.ts";
import { createDownload } from "../steps/http-download.ts";
import { bodyOf, buildRequest } from "../steps/http-request.ts";
import { checkValues, readAnswer, type ValueLimits } from "../steps/http-response.ts";
import { requestFields } from "./app-request.ts";
import type { ConnectionUse } from "../connections/connection-use.ts";
import type { ConnectionFetch } from "./connection.ts";
import type { AppScope } from "./template.ts";
import { vendorFailure } from "./vendor-error.ts";

const MAX_BYTES = 10 * 1024 * 1024;

export interface AppClientDeps {
  fetch: ConnectionFetch;
  limits: ValueLimits;
  runFiles: Pick<RunFiles, "create" | "find" | "open">;
  clock: Pick<Clock, "now">;
}

/** The step that sends, or as much of one as a trigger or a form has. */
export type AppCall = Pick<StepCall, "ownerId" | "taskId" | "idempotencyKey" | "answeredFailures" | "stop"> &
  Partial<Pick<StepCall, "log" | "holdLargeValue" | "assertLease">>;

/** What all requests of one action share. */
export interface AppSession {
  app: App;
  use: ConnectionUse;
  call: AppCall;
  /** In milliseconds of `clock`. */
  deadline: number;
  bytesLeft: number;
  idempotencyHeader?: string | undefined;
}

export interface AppAnswer {
  body: JsonValue;
  status: number;
  headers: Record<string, string>;
  url: string;
}

export type AppClient = ReturnType<typeof createAppClient>;

/** Sends the requests of apps, and turns what vendors refuse into plain errors, without the credential. */
export function createAppClient({ fetch, limits, runFiles, clock }: AppClientDeps) {
  async function sendOnce(
    session: AppSession,
    request: AppRequest,
    scope: AppScope,
    target?: string,
  ): Promise<AppAnswer> {
    const { app, use, call, idempotencyHeader } = session;
    const fields = requestFields(app, request, scope);
    if (target !== undefined) Object.assign(fields, { url: target, query: null });
    const download = request.responseAs === "file" ? createDownload(call, runFiles) : undefined;

    async function attempt(): Promise<{ response: GuardedResponse; body: JsonValue }> {
      const { ownerId, idempotencyKey, answeredFailures } = call;
      const filled = { ownerId, idempotencyKey, answeredFailures, fields };
      const { url, init } = buildRequest(filled, await bodyOf(filled, runFiles));
      const headers = init.headers ?? {};
      if (idempotencyHeader !== undefined)
        headers[idempotencyHeader.toLowerCase()] = headers["idempotency-key"] ?? "";
      const options: GuardedInit = init;
      options.timeoutMs = Math.max(1, session.deadline - clock.now());
      options.maxBytes = session.bytesLeft;
      options.signal = call.stop;
      options.beforeSend = call.assertLease;
      if (call.holdLargeValue !== undefined) options.onLargeBody = call.holdLargeValue;
      if (download !== undefined) options.saveBody = download.save;
      const response = await fetch(use, url, options);
      session.bytesLeft -= response.body.length;
      await checkValues(response, limits);
      return { response, body: download?.file() ?? (await readAnswer(response)) };
    }

    let answer = await attempt();
    let failure = vendorFailure(app, answer.response, answer.body, clock.now());
    if (failure?.isExpired && (await use.renew())) {
      answer = await attempt();
      failure = vendorFailure(app, answer.response, answer.body, clock.now());
      if (failure?.isExpired) await use.renew();
    }
    if (failure?.isExpired) throw use.refused(app.title);
    if (failure !== undefined) {
      const waitMs = failure.error.retryAfterMs;
      if (waitMs !== undefined)
        call.log?.("warn", `${app.title} asks to wait ${Math.ceil(waitMs / 1000)} s.`);
      throw failure.error;
    }
    const { status, headers, url } = answer.response;
    return { body: answer.body, status, headers, url };
  }

  return {
    /** `target` replaces the address, for the next page that a vendor names. */
    async send(
      session: AppSession,
      request: AppRequest,
      scope: AppScope,
      target?: string,
    ): Promise<AppAnswer> {
      try {
        return await sendOnce(session, request, scope, target);
      } catch (error) {
        // Vendors quote what they refuse. Errors are stored and shown: in steps, in triggers, in forms.
        throw redactError(error, session.use.secrets());
      }
    },

    /** All requests of a session share its time and size. */
    open(
      given: Pick<AppSession, "app" | "use" | "call" | "idempotencyHeader"> & {
        timeoutMs: number;
        maxBytes?: number;
      },
    ): AppSession {
      const { app, use, call, idempotencyHeader, timeoutMs, maxBytes = MAX_BYTES } = given;
      if (use.app !== app.id)
        throw new AppError(
          "invalid_field",
          `The connection belongs to ${use.app ?? "no app"}, not to ${app.title}. Choose another connection.`,
          { permanent: true },
        );
      const deadline = clock.now() + timeoutMs;
      return { app, use, call, idempotencyHeader, deadline, bytesLeft: maxBytes };
    },
  };
}
