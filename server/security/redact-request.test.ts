import { expect, test } from "vitest";
import { redactHeaders } from "./redact-request.ts";

const SECRET = "s3cret/with+signs-and-more";

test.each([
  ["cf-access-jwt-assertion", true],
  ["x-amzn-oidc-data", true],
  ["x-auth-key", true],
  ["ocp-apim-subscription-key", true],
  ["x-session-id", true],
  ["x-auth", true],
  ["x-author", false],
  ["idempotency-key", false],
  ["x-session", false],
])("%s is redacted: %s", (name, isCredential) => {
  expect(redactHeaders({ [name]: "a1b2" }, undefined, null)).toEqual({
    [name]: isCredential ? "•••" : "a1b2",
  });
});

test("headers with credential names are redacted, the others are kept", () => {
  const headers = redactHeaders(
    {
      "content-type": "application/json",
      "x-event": "push",
      "x-many": ["a", "b"],
      "x-absent": undefined,
      authorization: "Bearer abc",
      "x-webhook-secret": SECRET,
      "x-hub-signature-256": "sha256=00",
      "x-shopify-hmac-sha256": "00",
      "x-api-key": "abc",
      "x-custom-mac": "00",
    },
    SECRET,
    "X-Custom-Mac",
  );
  expect(headers).toEqual({
    "content-type": "application/json",
    "x-event": "push",
    "x-many": "a, b",
    authorization: "•••",
    "x-webhook-secret": "•••",
    "x-hub-signature-256": "•••",
    "x-shopify-hmac-sha256": "•••",
    "x-api-key": "•••",
    "x-custom-mac": "•••",
  });
});

test("[S17] the secret is redacted in every header, also in encoded form", () => {
  const encoded = encodeURIComponent(SECRET);
  const text = JSON.stringify(
    redactHeaders(
      {
        referer: `https://a.example/x?secret=${encoded}`,
        "x-original-url": "/webhook/x?secret=another-one",
        "x-note": `${SECRET} ${encoded} ${Buffer.from(SECRET).toString("base64")}`,
      },
      SECRET,
      null,
    ),
  );
  for (const form of [SECRET, encoded, "another-one", Buffer.from(SECRET).toString("base64")]) {
    expect(text).not.toContain(form);
  }
});
