import fc from "fast-check";
import { valuesOf } from "./from-schema.ts";
import { oddText } from "./odd-values.ts";
import type { Document, Operation } from "./routes.ts";
import { fieldOfEitherUser, recordToken, tokenOf } from "./tokens.ts";
import { nounOf } from "./records.ts";

/** Path and query of an operation, mostly with existing records, sometimes with unknown ones. */
export function urlOf(document: Document, { path, query }: Operation): fc.Arbitrary<string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const segments = fc.record(Object.fromEntries(names.map((name) => [name, segmentOf(path, name)])));
  const questions = fc.record(
    Object.fromEntries(
      query.map(({ name, schema }) => [name, valuesOf(document, schema, { cursor: cursorText })]),
    ),
    { requiredKeys: [] },
  );
  return fc.tuple(segments, questions).map(([values, asked]) => {
    const filled = path.replaceAll(
      /\{(\w+)\}/g,
      (_match, name: string) => (values as Record<string, string>)[name]!,
    );
    const search = Object.entries(asked)
      .map(([name, value]) => `${name}=${encode(typeof value === "string" ? value : JSON.stringify(value))}`)
      .join("&");
    return search === "" ? filled : `${filled}?${search}`;
  });
}

/** Invalid cursors. */
const cursorText = fc.oneof(oddText, fc.base64String({ maxLength: 60 }));

const rawSegments = ["%00", "%ff%fe", "%", "..%2f..", "%2e%2e", "a%2fb", "~", "x".repeat(600), "%E0%A4%A"];

/** Path parameters that refer to no record. */
const NAMES = new Set(["stepId", "version", "name", "operation", "source", "app", "kind", "key"]);

function segmentOf(path: string, name: string): fc.Arbitrary<string> {
  const odd = fc.oneof(
    oddText.map((text) => encode(text.slice(0, 300))),
    fc.constantFrom(...rawSegments),
    ...(NAMES.has(name) ? [] : [recordToken()]),
  );
  return fc.oneof({ weight: 10, arbitrary: rightSegment(path, name) }, { weight: 1, arbitrary: odd });
}

function rightSegment(path: string, name: string): fc.Arbitrary<string> {
  if (name === "source") return fieldOfEitherUser("webhook", "source");
  if (path.startsWith("/api/admin/")) return fc.constant(tokenOf("admin", "account", name));
  if (name === "app") return fc.constantFrom("slack", "github", "google_sheets");
  if (name === "kind") return fc.constantFrom("workflow", "agent", "team");
  if (name === "key") return fc.constantFrom("private", "new");
  if (name === "slug" || name === "triggerId") return fieldOfEitherUser("trigger", name);
  if (name === "conversationId") return fc.constantFrom("conversation-00000000000000000001", "mine");
  if (name === "stepId") return fc.constantFrom("ask", "a", "ask[0]/a");
  if (name === "version") return fc.constantFrom("1", "2", "0", "1e3");
  if (name === "name") return fc.constantFrom("plain", "sealed", "new");
  if (name === "operation") return fc.constantFrom("message:send", "message:stream", "message:other");
  if (name === "idOrSlug")
    return fc.oneof(fieldOfEitherUser("endpoint", "slug"), fieldOfEitherUser("workflow", "id"));
  if (path.startsWith("/a2a/") && name === "taskId")
    return fieldOfEitherUser("team", "sessionId").chain((id) =>
      fc.constantFrom(id, `${id}.1`, `${id}.1:cancel`, `${id}.1:subscribe`),
    );
  if (name === "taskId")
    return fc.oneof(fieldOfEitherUser("endpoint", "taskId"), fieldOfEitherUser("task", "id"));
  if (path.endsWith("/rerun-from-failed"))
    return fc.oneof(fieldOfEitherUser("task", "failedId"), fieldOfEitherUser("task", "id"));
  if (name === "teamId" || name === "agentId") return fieldOfEitherUser("team", "id");
  if (name === "configId") return fc.constantFrom("mine", "push_x");
  return fieldOfEitherUser(nounOf(path) ?? "task", name);
}

function encode(text: string): string {
  // A URL cannot contain a lone surrogate.
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\ufffd"));
}
