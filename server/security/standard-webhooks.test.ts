import { expect, test } from "vitest";
import { receivedRequest } from "../webhooks/signature-check.ts";
import { verifySignature } from "../webhooks/signatures.ts";
import { createSigningSecret, signatureHeaders } from "./standard-webhooks.ts";

// The example of the specification's own libraries.
const EXAMPLE = {
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  timestampMs: 1_614_265_330_000,
  body: '{"test": 2432232314}',
  secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
};

test("a message is signed as the Standard Webhooks libraries sign it", () => {
  expect(signatureHeaders(EXAMPLE)).toEqual({
    "webhook-id": EXAMPLE.id,
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("while a secret is rotated, a receiver with either one accepts the message", () => {
  const secrets = [createSigningSecret(), createSigningSecret()];
  const headers = signatureHeaders({ ...EXAMPLE, body: "é", secrets });
  const request = receivedRequest({ method: "POST", url: "/", headers, body: Buffer.from("é") });
  for (const secret of secrets)
    expect(verifySignature({ scheme: "standard", secret }, request, EXAMPLE.timestampMs)).toMatchObject({
      ok: true,
    });
  expect(
    verifySignature({ scheme: "standard", secret: createSigningSecret() }, request, EXAMPLE.timestampMs),
  ).toMatchObject({ ok: false });
});
