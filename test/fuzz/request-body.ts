import fc from "fast-check";
import { formOf, MULTIPART } from "../documents/upload.ts";
import { valuesOf } from "./from-schema.ts";
import { oddText, oddValue, spoiledBody } from "./odd-values.ts";
import type { Document, Operation, Schema } from "./routes.ts";
import { fieldOfEitherUser, tokenOf } from "./tokens.ts";

/** Values of a graph's fields, from the service's own examples. */
export interface Examples {
  steps: Record<string, unknown>[];
  pdf: Uint8Array;
}

export interface Content {
  type: string;
  body: string | Buffer | undefined;
}

const JSON_TYPE = "application/json";

export function bodyOf(
  document: Document,
  { method, path, bodies }: Operation,
  examples: Examples,
): fc.Arbitrary<Content> {
  const types = Object.keys(bodies);
  if (types.length === 0) {
    const unexpected = fc.constantFrom(undefined, "{}", "[]", '{"input":{"a":1},"steps":[]}');
    return (method === "GET" ? fc.constant(undefined) : unexpected).map((body) => ({
      type: JSON_TYPE,
      body,
    }));
  }
  return fc.constantFrom(...types).chain((type) => {
    const body = bodyOfType(type);
    const given = type === "multipart/form-data" ? MULTIPART : type;
    return fc.record({
      type: fc.oneof(
        { weight: 28, arbitrary: fc.constant(given) },
        { weight: 1, arbitrary: fc.constant("text/plain") },
      ),
      body,
    });
  });

  function bodyOfType(type: string): fc.Arbitrary<string | Buffer> {
    if (type === "multipart/form-data") return formBody(examples.pdf);
    if (type === "application/octet-stream")
      return fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    const value = jsonValueOf(document, path, bodies[type] ?? {}, examples);
    if (type === "application/x-www-form-urlencoded") return value.map(urlEncoded);
    const json = value.map((it) => JSON.stringify(it));
    return fc.oneof(
      { weight: 15, arbitrary: json },
      { weight: 1, arbitrary: fc.tuple(json, spoiledBody).map(([text, spoil]) => spoil(text)) },
    );
  }
}

function urlEncoded(value: unknown): string {
  const fields = Object.entries((value ?? {}) as Record<string, unknown>);
  return new URLSearchParams(
    Object.fromEntries(fields.map(([name, it]) => [name, JSON.stringify(it) ?? ""])),
  ).toString();
}

function jsonValueOf(
  document: Document,
  path: string,
  body: Schema,
  examples: Examples,
): fc.Arbitrary<unknown> {
  const known = {
    steps: stepsOf(examples.steps),
    edges: edgesArbitrary,
    cron: cronText,
    stepIds: fc.subarray(["a", "b", "ask", "gone"]),
    email: fc.constantFrom("alice@example.com", "new@example.com", "x"),
    password: fc.constantFrom("password of alice", "a wrong password", "short"),
    // A collection that is shared with everyone may be seen by everyone.
    everyone: fc.constant(false),
    emails: fc.constantFrom([], ["nobody@example.com"]),
    sessionId: fieldOfEitherUser("team", "sessionId"),
    from: fc.constantFrom(
      { id: "outsider", type: "external" },
      { id: "outsider", type: "internal" },
      "outsider",
    ),
  };
  return path.startsWith("/a2a/") ? a2aBody : valuesOf(document, body, known);
}

/** A2A messages, in both bindings. */
const a2aBody: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        messageId: fc.uuid(),
        contextId: fc.oneof(fieldOfEitherUser("team", "sessionId"), fc.constant("")),
        role: fc.constantFrom("ROLE_USER", "ROLE_AGENT", 7),
        parts: fc.constantFrom<unknown>([{ text: "Hello" }], [], [{}], "text", null),
      })
      .chain((message) =>
        fc.constantFrom<unknown>(
          { message },
          { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } },
          { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: message.contextId } },
          { jsonrpc: "2.0", id: 1, method: "CancelTask", params: { id: message.contextId } },
        ),
      ),
  },
  { weight: 1, arbitrary: oddValue },
);

const cronText = fc.constantFrom(
  "0 3 * * *",
  "*/5 * * * *",
  "0 0 31 2 *",
  "@daily",
  "* * * * * * *",
  "99 * * * *",
);

/** The service's example of each step type, with a stored connection, sometimes with one field replaced. */
function stepsOf(examples: Examples["steps"]): fc.Arbitrary<unknown> {
  const step = fc
    .tuple(fc.constantFrom(...examples), fc.nat(40), oddValue, fc.nat(3))
    .map(([example, field, odd, index]) => {
      const names = Object.keys(example);
      const spoiled = names[field];
      return {
        ...example,
        ...("connection" in example && { connection: tokenOf("one", "connection", "id") }),
        ...(spoiled === undefined ? {} : { [spoiled]: odd }),
        stepId: `s${index}`,
      };
    });
  return fc.array(step, { maxLength: 3 });
}

const edgesArbitrary = fc.array(
  // Two of three graphs have no edges, and run in the listed order.
  fc.record({
    id: fc.constantFrom("e1", "e2", "", "__proto__"),
    source: fc.constantFrom("s0", "s1", "s2", "s9"),
    target: fc.constantFrom("s1", "s2", "s3", "s0"),
    condition: fc.constantFrom(undefined, "true", "error", "constructor"),
  }),
  { maxLength: 3, size: "-1" },
);

function formBody(pdf: Uint8Array): fc.Arbitrary<string | Buffer> {
  const file = fc.oneof(
    { weight: 1, arbitrary: fc.constant(pdf) },
    { weight: 2, arbitrary: fc.constantFrom("", "no PDF", "%PDF-1.7\n%%EOF", "%PDF-1.4 << /Root 1 0 R >>") },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  );
  const metadata = fc.oneof(
    fc.constant('{"title":"Nothing","tags":["a"]}'),
    oddValue.map((value) => JSON.stringify(value)),
    oddText,
  );
  const fileName = fc.constantFrom("a.pdf", "../../x.pdf", "\u202efdp.exe", "x".repeat(400));
  return fc
    .record({ file, fileName, metadata, field: fc.constantFrom("file", "file", "file", "files", "metadata") })
    .map((it) =>
      formOf([
        { name: "metadata", value: it.metadata },
        { name: it.field, value: it.file, fileName: it.fileName },
      ]),
    );
}
