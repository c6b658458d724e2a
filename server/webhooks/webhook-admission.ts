import { AppError } from "../lib/errors.ts";
import { hashKey } from "../security/api-keys.ts";
import type { SecretBox } from "../security/secret-box.ts";
import { type RequestHeaders, type SignatureResult, verifySignature } from "./signatures.ts";
import type { WebhookRecord, WebhookStore } from "./webhook-store.ts";
import { openSignature } from "./webhooks.ts";

export interface AdmissionDeps {
  store: WebhookStore;
  box: SecretBox;
}

/** What is known before the body is read: either whose secret this is, or whose signature it may be. */
export interface Knock {
  secret: string | undefined;
  webhooks: WebhookRecord[];
}

export type Verified =
  | { ok: true; webhook: WebhookRecord; deliveryId: string | undefined }
  | { ok: false; error: AppError; refusedBy: { webhook: WebhookRecord; reason: string }[] };

export type Admission = ReturnType<typeof createAdmission>;

export function createAdmission({ store, box }: AdmissionDeps) {
  return {
    /** Throws before a byte of the body is read, unless a signature over it may still decide. */
    async knock(source: string, secret: string | undefined): Promise<Knock> {
      if (secret !== undefined) {
        const webhook = await store.bySecret(source, hashKey(secret));
        if (webhook === undefined) {
          throw new AppError("invalid_secret", "No active webhook has this source and secret.");
        }
        return { secret, webhooks: [webhook] };
      }
      const webhooks = await store.signed(source);
      if (webhooks.length === 0) throw missingSecret();
      return { secret, webhooks };
    },

    /** Owners who share a source are told apart by whose secret the signature was made with. */
    verify({ secret, webhooks }: Knock, headers: RequestHeaders, rawBody: Buffer, nowMs: number): Verified {
      const verdicts = webhooks.map((webhook) => ({
        webhook,
        result: signatureOf(webhook, headers, rawBody, nowMs),
      }));
      for (const { webhook, result } of verdicts) {
        if (result?.ok) return { ok: true, webhook, deliveryId: result.deliveryId };
        // The secret alone is enough, but a signature that is there and wrong says the body was changed.
        const isUnsigned = result === undefined || result.reason === "missing";
        if (secret !== undefined && isUnsigned) return { ok: true, webhook, deliveryId: undefined };
      }
      const refusedBy = verdicts.flatMap(({ webhook, result }) =>
        result === undefined || result.ok || result.reason === "missing"
          ? []
          : [{ webhook, reason: `${result.reason}_signature` }],
      );
      return { ok: false, error: refusedBy.length === 0 ? missingSecret() : invalidSignature(), refusedBy };
    },
  };

  function signatureOf(
    webhook: WebhookRecord,
    headers: RequestHeaders,
    rawBody: Buffer,
    nowMs: number,
  ): SignatureResult | undefined {
    const settings = openSignature(webhook, box);
    return settings && verifySignature(settings, headers, rawBody, nowMs);
  }
}

function missingSecret(): AppError {
  return new AppError(
    "missing_secret",
    "Send the webhook's secret in the header x-webhook-secret or as ?secret=.",
  );
}

function invalidSignature(): AppError {
  return new AppError("invalid_signature", "The signature does not fit this body, or is too old.");
}
