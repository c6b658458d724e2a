import type { App } from "../../apps/define-app.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import type { GuardedResponse } from "../security/guarded-fetch.ts";
import { retryAfterMs, visibleHeaders } from "../steps/http-response.ts";
import { type AppScope, fill, fillText } from "./template.ts";

const MAX_MESSAGE_LENGTH = 500;
const KEPT_BODY_LENGTH = 64 * 1024;
/** Larger numbers are times since 1970, smaller ones are seconds to wait. */
const FIRST_TIME = 1_000_000_000;

/** What the vendor refused. `isExpired`: the token, so that a new one may help. */
export interface VendorFailure {
  isExpired: boolean;
  error: AppError;
}

/** Undefined when the vendor did what was asked. */
export function vendorFailure(
  app: Pick<App, "title" | "errors">,
  { status, headers, body: bytes }: GuardedResponse,
  body: JsonValue,
  now: number,
): VendorFailure | undefined {
  const { errors = {} } = app;
  const scope = { body, headers, status };
  const isRefused =
    (errors.ok !== undefined && fill(errors.ok, scope) !== true) ||
    (errors.failed !== undefined && fill(errors.failed, scope) !== undefined);
  if (status >= 200 && status <= 299 && !isRefused) return undefined;
  const code = errors.code === undefined ? "" : fillText(errors.code, scope);
  const waitMs = waitOf(app, scope, now);
  const sentence =
    wordsOf(errors.words, code) ??
    (waitMs === undefined
      ? undefined
      : `Too many requests. The next one is possible in ${Math.ceil(waitMs / 1000)} s.`) ??
    wordsOf(errors.words, String(status)) ??
    vendorSentence(firstText(errors.message, scope), code, status);
  return {
    isExpired: code !== "" && (errors.expired ?? []).includes(code),
    error: new AppError("http_error", `${app.title}: ${sentence}`, {
      retryAfterMs: waitMs,
      stepExtra: {
        response: {
          status,
          headers: visibleHeaders(headers),
          ...(bytes.length <= KEPT_BODY_LENGTH && { body }),
        },
      },
    }),
  };
}

function firstText(templates: string | readonly string[] | undefined, scope: AppScope): string {
  const places = typeof templates === "string" ? [templates] : (templates ?? []);
  for (const place of places) {
    const text = fillText(place, scope);
    if (text !== "") return text;
  }
  return "";
}

function wordsOf(words: Readonly<Record<string, string>> | undefined, code: string): string | undefined {
  return words !== undefined && Object.hasOwn(words, code) ? words[code] : undefined;
}

function waitOf(
  { errors }: Pick<App, "errors">,
  scope: { status: number; headers: Record<string, string> } & Record<string, unknown>,
  now: number,
): number | undefined {
  const { status, headers } = scope;
  const isLimited =
    status === 429 ||
    (status === 403 &&
      errors?.rateLimit?.remaining !== undefined &&
      fillText(errors.rateLimit.remaining, scope) === "0");
  const asked = retryAfterMs(headers["retry-after"], now);
  if (asked !== undefined) return asked;
  if (!isLimited || errors?.rateLimit === undefined) return undefined;
  const seconds = Number(fillText(errors.rateLimit.wait, scope));
  if (!Number.isFinite(seconds) || seconds <= 0) return undefined;
  return seconds >= FIRST_TIME ? Math.max(0, seconds * 1000 - now) : Math.ceil(seconds * 1000);
}

function vendorSentence(message: string, code: string, status: number): string {
  const said = message.replace(/\s+/g, " ").trim() || code;
  if (said !== "") return said.length > MAX_MESSAGE_LENGTH ? `${said.slice(0, MAX_MESSAGE_LENGTH)}…` : said;
  if (status === 403) return "The connection has no permission for this (status 403).";
  if (status === 404) return "Nothing was found there (status 404).";
  if (status === 429) return "Too many requests (status 429). Try again later.";
  return status >= 500
    ? `The service has a problem (status ${status}). Try again later.`
    : `The request was refused (status ${status}).`;
}
