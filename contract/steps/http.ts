import { inWords } from "./common.ts";
import { anyValue, choice, textRecord, url } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

/** A connection that stays open for longer is rarely alive, and its step holds a slot. */
export const MAX_HTTP_TIMEOUT_MS = 3_600_000;

export const httpStep = defineStepType({
  type: "http",
  title: "HTTP request",
  description:
    "Sends an HTTP request and returns the response: JSON as a value, text as a string, other content as {contentType, base64, bytes}, an empty body as null. A status other than 2xx fails the step. Unless you set an Idempotency-Key header, a repeated request sends the same one until a response arrives; a changed request, or one after a failed response, sends a new one.",
  category: "connect",
  synonyms: [
    "api",
    "rest",
    "request",
    "fetch",
    "curl",
    "get",
    "post",
    "slack",
    "webhook",
    "url",
    "call",
    "discord",
    "telegram",
    "stripe",
  ],
  fields: {
    method: choice(
      "The HTTP method; GET by default.",
      ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
      true,
    ).optional(),
    url: url("The URL, beginning with http:// or https://."),
    headers: textRecord("Request headers, as names and values.").optional(),
    query: textRecord("Query parameters, as names and values.").optional(),
    body: anyValue(
      "The request body: text unchanged (as application/json when it is an object or a list), {contentType, base64, bytes} of an earlier step as those bytes, other values as JSON.",
    ).optional(),
  },
  check: ({ timeoutMs }) =>
    typeof timeoutMs === "number" && timeoutMs > MAX_HTTP_TIMEOUT_MS
      ? [
          {
            code: "invalid_field",
            field: "timeoutMs",
            message: `must be at most ${MAX_HTTP_TIMEOUT_MS} (one hour) for an HTTP request`,
          },
        ]
      : [],
  shortTitle: "HTTP",
  summary: ({ method, url: address }) =>
    `${inWords(method) || "GET"} ${inWords(address).replace(/^https?:\/\//, "")}`,
  form: {
    method: { label: "Method", before: "url" },
    url: { label: "URL", example: "https://api.example.com/orders" },
    query: { label: "Query" },
    headers: { label: "Headers" },
    body: { label: "Body", control: "long", example: '{ "name": "Ada" }' },
  },
  example: {
    stepId: "fetch-orders",
    type: "http",
    method: "GET",
    url: "https://api.example.com/orders",
    query: { customer: "{{input.customerId}}" },
    maxRetries: 2,
  },
});
