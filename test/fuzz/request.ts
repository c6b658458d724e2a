import fc from "fast-check";
import { bodyOf, type Examples } from "./request-body.ts";
import { urlOf } from "./request-url.ts";
import type { Document, Operation } from "./routes.ts";
import { chooseOne, fieldOfEitherUser, recordToken, userNames } from "./tokens.ts";

/** The user whose token the request has. */
const callers = ["alice", "bob", "anonymous", "forged"] as const;
/** Routes for the administrator of the instance; others get a 403. */
const FOR_ADMINISTRATOR = /^\/api\/(admin\/|oauth-clients)/;

export interface FuzzRequest {
  operation: Operation;
  method: string;
  /** Path, query and body contain placeholders in place of ids. */
  url: string;
  caller: (typeof callers)[number] | "admin";
  headers: Record<string, string>;
  contentType: string;
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
      { weight: FOR_ADMINISTRATOR.test(operation.path) ? 40 : 0, arbitrary: fc.constant("admin" as const) },
      { weight: 8, arbitrary: fc.constantFrom("alice" as const, "bob" as const) },
      { weight: 1, arbitrary: fc.constantFrom(...callers) },
    ),
    headers: headersOf(operation),
    content: bodyOf(document, operation, examples),
  });
  return fc.tuple(request, fc.constantFrom(...userNames)).map(([{ content, ...it }, one]) => ({
    ...it,
    // A key in the header takes the place of the caller's login.
    caller: it.headers["authorization"] === undefined ? it.caller : ("anonymous" as const),
    contentType: content.type,
    url: chooseOne(it.url, one),
    headers: Object.fromEntries(
      Object.entries(it.headers).map(([name, value]) => [name, chooseOne(value, one)]),
    ),
    body: typeof content.body === "string" ? chooseOne(content.body, one) : content.body,
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
  const rare = fc.oneof(
    { weight: 8, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: recordToken("workspaceId").map((id) => ({ "x-workspace": id })) },
    {
      weight: 1,
      arbitrary: fieldOfEitherUser("key", "secret").map((key) => ({ authorization: `Bearer ${key}` })),
    },
  );
  return fc.tuple(required, optional, rare).map((all) => Object.assign({}, ...all) as Record<string, string>);
}
