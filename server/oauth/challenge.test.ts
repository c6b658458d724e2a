import { expect, test } from "vitest";
import { bearerChallenge } from "./challenge.ts";

test("a challenge names the metadata of the resource, and the error only of a token that was sent", () => {
  expect(bearerChallenge("https://baton.example", "missing_token")).toBe(
    'Bearer scope="mcp", resource_metadata="https://baton.example/.well-known/oauth-protected-resource/mcp"',
  );
  expect(bearerChallenge("https://example.com/baton", "insufficient_scope")).toBe(
    'Bearer error="insufficient_scope", scope="mcp", ' +
      'resource_metadata="https://example.com/.well-known/oauth-protected-resource/baton/mcp"',
  );
});
