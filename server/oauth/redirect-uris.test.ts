import { expect, test } from "vitest";
import { addToRedirect, isRegisteredRedirect, redirectKindOf, redirectTargetOf } from "./redirect-uris.ts";

test.each([
  ["https://claude.ai/api/mcp/auth_callback", "web", "claude.ai"],
  ["https://app.example:8443/cb?tenant=1", "web", "app.example:8443"],
  ["http://localhost:33418/", "loopback", "localhost:33418"],
  ["http://127.0.0.1/callback", "loopback", "127.0.0.1"],
  ["http://[::1]:9999/callback", "loopback", "[::1]:9999"],
  ["cursor://anysphere.cursor-retrieval/oauth/user-mcp/oauth/callback", "app", "cursor:"],
  ["com.example.app:/oauth2redirect", "app", "com.example.app:"],
  // Look-alike letters are shown in ASCII.
  ["https://сlaude.ai/callback", "web", "xn--laude-0ye.ai"],
])("%s is a redirect URI, and the user sees %s %s", (uri, kind, target) => {
  expect(redirectKindOf(uri)).toBe(kind);
  expect(redirectTargetOf(uri)).toBe(target);
});

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt://app.example/%0aalert(1)",
  "java\nscript:alert(1)",
  "javascript://app.example/%0aalert(1)",
  "file://host/etc/passwd",
  "intent://scan/",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "blob:https://app.example/1",
  "intent://scan/#Intent;end",
  "ms-settings:privacy",
  "view-source:https://app.example",
  "http://app.example/callback",
  "http://localhost.evil.example/callback",
  "http://127.0.0.1.evil.example/callback",
  "https://app.example/callback#fragment",
  "https://app.example@evil.example/callback",
  "https://app.example\\@evil.example/callback",
  "https:// app.example/callback",
  "mycallback:code",
  "//app.example/callback",
  "/callback",
  "",
  `https://app.example/${"a".repeat(2000)}`,
])("%s is refused as a redirect URI", (uri) => {
  expect(redirectKindOf(uri)).toBeUndefined();
});

test("a redirect URI matches exactly, except for the port of a program on the same computer", () => {
  const registered = [
    "https://app.example/callback",
    "http://127.0.0.1:3000/callback",
    "http://localhost/cb?a=1",
  ];
  const matches = (uri: string) => isRegisteredRedirect(registered, uri);
  expect(matches("https://app.example/callback")).toBe(true);
  expect(matches("http://127.0.0.1:51234/callback")).toBe(true);
  expect(matches("http://127.0.0.1/callback")).toBe(true);
  expect(matches("http://localhost:8080/cb?a=1")).toBe(true);
  for (const wrong of [
    "https://app.example/callback/",
    "https://app.example/callback?x=1",
    "https://app.example:444/callback",
    "https://APP.example/callback",
    "https://app.example/callback/../evil",
    "https://app.example.evil.example/callback",
    "http://127.0.0.1:51234/other",
    "http://localhost:51234/callback",
    "https://127.0.0.1:3000/callback",
    "http://127.0.0.1:3000@evil.example/callback",
  ])
    expect([wrong, matches(wrong)]).toEqual([wrong, false]);
});

test("parameters are appended, and the registered part stays as it is", () => {
  expect(
    addToRedirect("https://app.example/cb", { code: "a b", state: undefined, iss: "https://b.example" }),
  ).toBe("https://app.example/cb?code=a+b&iss=https%3A%2F%2Fb.example");
  expect(addToRedirect("cursor://host/cb?x=%20", { code: "1" })).toBe("cursor://host/cb?x=%20&code=1");
});
