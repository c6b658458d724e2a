import { inWords } from "./common.ts";
import { anyValue, choice, connection, object, textRecord, url } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

/** A connection that stays open for longer is rarely alive, and its step holds a slot. */
export const MAX_HTTP_TIMEOUT_MS = 3_600_000;

export const httpStep = defineStepType({
  type: "http",
  title: "HTTP request",
  description:
    "Sends an HTTP request and returns the response: JSON as a value, text as a string, other content as {contentType, base64, bytes}, an empty body as null. With responseAs: file the output is a file for later steps. A status other than 2xx fails the step. Unless you set an Idempotency-Key header, a repeated request sends the same one until a response arrives; a changed request, or one after a failed response, sends a new one.",
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
    connection: connection(
      "One of your connections, by id. Its credential is added to the request, which may go only to its hosts.",
    ).optional(),
    headers: textRecord("Request headers, as names and values.").optional(),
    query: textRecord("Query parameters, as names and values.").optional(),
    body: anyValue(
      "The request body: text unchanged (as application/json when it is an object or a list), a file of an earlier step or {contentType, base64, bytes} as those bytes, other values as JSON.",
    ).optional(),
    multipart: object(
      "Form fields by name, sent as multipart/form-data in place of a body: text, files of earlier steps, or lists of them.",
    ).optional(),
    responseAs: choice(
      'With "file" the response is streamed into a file, and the output is its reference {file, name, contentType, size}; "auto" by default.',
      ["auto", "file"],
    ).optional(),
  },
  check: ({ timeoutMs, body, multipart }) => [
    ...(typeof timeoutMs === "number" && timeoutMs > MAX_HTTP_TIMEOUT_MS
      ? [
          {
            code: "invalid_field" as const,
            field: "timeoutMs",
            message: `must be at most ${MAX_HTTP_TIMEOUT_MS} (one hour) for an HTTP request`,
          },
        ]
      : []),
    ...(body !== undefined && multipart !== undefined
      ? [
          {
            code: "invalid_field" as const,
            field: "multipart",
            message: "cannot be combined with a body: it is the body",
          },
        ]
      : []),
  ],
  shortTitle: "HTTP",
  summary: ({ method, url: address }) =>
    `${inWords(method) || "GET"} ${inWords(address).replace(/^https?:\/\//, "")}`,
  form: {
    method: { label: "Method", before: "url" },
    url: { label: "URL", example: "https://api.example.com/orders" },
    connection: { label: "Connection" },
    query: { label: "Query" },
    headers: { label: "Headers" },
    body: { label: "Body", control: "long", example: '{ "name": "Ada" }' },
    multipart: { label: "Form fields", example: '{ "file": "{{steps.download.output}}" }' },
    responseAs: {
      label: "Response",
      words: { auto: "As a value", file: "As a file" },
    },
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
