import { expect, test } from "vitest";
import { signatureContext } from "../security/seal-contexts.ts";
import { createSecretBox } from "../security/secret-box.ts";
import { receivedRequest } from "./signature-check.ts";
import { createWebhookAuthorization } from "./webhook-authorization.ts";
import type { WebhookRecord } from "./webhook.sql.ts";

const box = createSecretBox(Buffer.alloc(32, 1));

function signedWebhook(id: string): WebhookRecord {
  const webhook = { id, ownerId: id } as WebhookRecord;
  const sealedSecret = box.seal("a secret of its own", signatureContext(webhook));
  return {
    ...webhook,
    signature: { scheme: "github", header: null, options: {}, sealedSecret },
  } as WebhookRecord;
}

test("other work runs while a large body is compared with many webhooks", async () => {
  const { authorize } = createWebhookAuthorization({ store: undefined as never, box });
  const webhooks = Array.from({ length: 10 }, (_, index) => signedWebhook(`wh_${index}`));
  const request = receivedRequest({
    method: "POST",
    url: "https://baton.example/webhook/github",
    headers: { "x-hub-signature-256": `sha256=${"0".repeat(64)}` },
    body: Buffer.alloc(1024 * 1024),
  });
  const answered: string[] = [];
  setImmediate(() => answered.push("another request"));
  const { ok } = await authorize({ secret: undefined, webhooks, workflow: undefined }, request, 0);
  expect([ok, answered]).toEqual([false, ["another request"]]);
});
