import fc from "fast-check";
import { MULTIPART } from "../documents/upload.ts";
import { bodyOf, type Examples } from "./request-body.ts";
import { urlOf } from "./request-url.ts";
import type { Document, Operation } from "./routes.ts";
import { chooseOne, fieldOfEitherUser, userNames } from "./tokens.ts";

/** The user whose token the request has. */
const callers = ["alice", "bob", "anonymous", "forged"] as const;

export interface FuzzRequest {
  operation: Operation;
  method: string;
  /** Path, query and body contain placeholders in place of ids. */
  url: string;
  caller: (typeof callers)[number];
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

export function requestOf(
  document: Document,
  operation: Operation,
  examples: Examples,
): fc.Arbitrary<FuzzRequest> {
  const request = fc.record({
    operation: fc.constant(operation),
    method: fc.oneof(
      { weight: 40, arbitrary: fc.constant(operation.method) },
      { weight: 1, arbitrary: fc.constantFrom("HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "POST", "GET") },
    ),
    url: urlOf(document, operation),
    caller: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom("alice" as const, "bob" as const) },
      { weight: 1, arbitrary: fc.constantFrom(...callers) },
    ),
    headers: headersOf(operation),
    body: bodyOf(document, operation, examples),
  });
  return fc.tuple(request, fc.constantFrom(...userNames)).map(([it, one]) => ({
    ...it,
    url: chooseOne(it.url, one),
    headers: Object.fromEntries(
      Object.entries(it.headers).map(([name, value]) => [name, chooseOne(value, one)]),
    ),
    body: typeof it.body === "string" ? chooseOne(it.body, one) : it.body,
  }));
}

function headersOf({ path }: Operation): fc.Arbitrary<Record<string, string>> {
  const isA2a = path.includes("a2a");
  const isHook = path.startsWith("/webhook/") && !isA2a;
  const noun = isA2a ? "team" : "webhook";
  const secret = fc.oneof(
    { weight: 4, arbitrary: fieldOfEitherUser(noun, "secret") },
    { weight: 1, arbitrary: fc.constantFrom("", "wrong", "x".repeat(2000)) },
  );
  const text = fc.constantFrom("a", "k".repeat(255), "k".repeat(300), "a b", "1", "-1", "\u00fc", "{}");
  const optional = fc.record(
    {
      "idempotency-key": text,
      "x-forwarded-for": fc.constantFrom("10.0.0.1", "::1", "x, y"),
      "last-event-id": text,
      "x-request-id": fc.constantFrom("mine", "<script>", "x".repeat(200)),
    },
    { requiredKeys: [] },
  );
  const required = fc.record({
    ...(isHook ? { "x-webhook-secret": secret } : {}),
    ...(isA2a
      ? {
          "x-a2a-secret": secret,
          "x-a2a-agent": fc.constantFrom("outsider", "outsider", "x"),
          "a2a-version": fc.constantFrom("1.0", "1.0", "9"),
        }
      : {}),
  });
  return fc.tuple(required, optional).map(([needed, more]) => ({ ...needed, ...more }));
}

/** The content type of a body, mostly the right one. */
export function contentTypeOf({ operation, body }: FuzzRequest): string {
  if (operation.isForm) return MULTIPART;
  return typeof body === "string" && body.length % 29 === 28 ? "text/plain" : "application/json";
}
